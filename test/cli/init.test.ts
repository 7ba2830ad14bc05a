import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.js';
import { loadConfig } from '../../src/config/load-config.js';
import { tempTree } from '../audit/temp-tree.js';

const SAMPLE = fileURLToPath(new URL('../../fixtures/projects/agent-runtime', import.meta.url));

async function init(cwd: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const terminal = { cwd, env: {}, stdout: { isTTY: false, write: (text: string) => { out += text; return true; } }, stderr: { isTTY: false, write: (text: string) => { err += text; return true; } } };
  const code = await runCommandLine(['init', ...args, '--quiet'], terminal);
  return { code, out, err };
}

describe('init', () => {
  it('shows locks, wrappers, state with its writers and look-alikes', async () => {
    const { code, out } = await init(SAMPLE, '--dry-run');
    expect(code).toBe(0);
    expect(out).toMatch(/^locks \(\d+\)$/m);
    expect(out).toMatch(/^ {2}runs {2}cancelled, running/m);
    expect(out).toMatch(/^ {4}src\/\S+ {2}\S.*: .* -> .*, guard grade \d: .*, lock /m);
    expect(out).toMatch(/^wrappers \(2\)\n {2}keepLease {2}src\/lease.ts:\d+$/m);
    expect(existsSync(join(SAMPLE, 'step-lock.config.mjs'))).toBe(false);
  });

  it('writes a configuration that can be read, and that says nothing nobody decided', async () => {
    const root = tempTree({ 'src/job.ts': "import { tryLock } from 'house-locks';\nexport async function run(id: string) { await tryLock(id); }\nexport const lock = 1;\n" });
    const { code, out } = await init(root);
    expect(code).toBe(0);
    expect(out).toContain('tryLock  src/job.ts:2  is called like an acquire');
    const text = readFileSync(join(root, 'step-lock.config.mjs'), 'utf8');
    expect(text).toContain("    // { id: 'tryLock', package: 'house-locks', operations: [{ op: 'acquire', call: 'tryLock', key: 'arg0' }] },");
    expect((await loadConfig(root)).config).toEqual({ profile: 'recommended', policy: {}, locks: [], targets: [], ignoreTargets: [] });
  });

  it('leads to a judged lock when the slashes are taken away', async () => {
    const root = tempTree({ 'src/job.ts': "import { tryLock } from 'house-locks';\nexport async function run(id: string) { await tryLock(id); }\nexport const lock = 1;\n" });
    await init(root);
    const path = join(root, 'step-lock.config.mjs');
    const { config } = await loadConfig(tempTree({ 'step-lock.config.mjs': readFileSync(path, 'utf8').replace("    // { id: 'tryLock'", "    { id: 'tryLock'") }));
    expect(config.locks?.[0]?.operations[0]).toMatchObject({ op: 'acquire', call: 'tryLock' });
  });

  it('does not write over a configuration', async () => {
    const root = tempTree({ 'step-lock.config.json': '{}' });
    expect(await init(root)).toMatchObject({ code: 2, err: expect.stringContaining('There is a `step-lock.config.json` already') as unknown });
  });
});
