import { expect, it } from 'vitest';
import { createProgress } from '../../src/cli/progress.js';

function written(isTTY: boolean, env: Record<string, string>, quiet: boolean): string {
  const lines: string[] = [];
  const output = { isTTY, write: (text: string) => lines.push(text) };
  const progress = createProgress({ cwd: '.', env, stdout: output, stderr: output }, quiet);
  progress.step('reading 3 files');
  progress.end();
  return lines.join('');
}

it('shows a step on a terminal and takes the line away', () => {
  expect(written(true, {}, false)).toBe('\r\u001B[2Kstep-lock: reading 3 files\r\u001B[2K');
});

it.each([['a pipe', false, {}, false], ['CI', true, { CI: 'true' }, false], ['--quiet', true, {}, true], ['a dumb terminal', true, { TERM: 'dumb' }, false]])('is silent: %s', (_, isTTY, env, quiet) => {
  expect(written(isTTY, env, quiet)).toBe('');
});
