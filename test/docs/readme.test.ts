import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('shows the report of the sample as the first command prints it', async () => {
  const shown = /<!-- sample -->\n```text\n([\s\S]*?)```/.exec(readFileSync(`${root}/README.md`, 'utf8'))?.[1] ?? '';
  const [finding = '', summary = ''] = shown.split(/\n\n(?=verdict )/);
  expect(finding).toContain('to do');
  const report = await printed('audit', 'fixtures/projects/agent-runtime', '--fail-on', 'never');
  expect(report).toContain(finding);
  expect(report.endsWith(summary)).toBe(true);
});

async function printed(...args: readonly string[]): Promise<string> {
  let text = '';
  const stream = { isTTY: false, write: (chunk: string) => ((text += chunk), true) };
  const silent = { isTTY: false, write: () => true };
  await runCommandLine(args, { cwd: root, env: {}, stdout: stream, stderr: silent });
  return text;
}
