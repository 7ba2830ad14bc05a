import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { runCommandLine } from '../../src/cli/command-line.js';
import { tempTree } from '../audit/temp-tree.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLE = join(ROOT, 'fixtures/projects/agent-runtime');

async function explain(cwd: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const terminal = { cwd, env: {}, stdout: { isTTY: false, write: (text: string) => { out += text; return true; } }, stderr: { isTTY: false, write: (text: string) => { err += text; return true; } } };
  const code = await runCommandLine(['explain', ...args, '--quiet'], terminal);
  return { code, out, err };
}

/** The line of the sample that a finding of the rule stands on. */
function lineOf(file: string, text: string): number {
  return readFileSync(join(SAMPLE, file), 'utf8').split('\n').findIndex((l) => l.includes(text)) + 1;
}

describe('explain <rule>', () => {
  it.each(rules.map((r) => r.id))('prints the page of %s', async (id) => {
    const { code, out } = await explain(ROOT, id);
    expect(code).toBe(0);
    expect(out).toBe(readFileSync(join(ROOT, `docs/rules/${id}.md`), 'utf8'));
  });

  it('says what can be explained when the name is neither a rule nor a place', async () => {
    const { code, err } = await explain(ROOT, 'require-tll');
    expect(code).toBe(2);
    expect(err).toBe('step-lock: `require-tll` is neither a rule nor a place. Give the id of a rule, which `step-lock rules` lists, or a place such as `src/worker.ts:41`.\n');
  });
});

describe('explain <file:line>', () => {
  it('tells the function, the callers, the facts and every rule that speaks', async () => {
    const line = lineOf('src/reaper.ts', '.del(');
    const { code, out } = await explain(SAMPLE, `src/reaper.ts:${String(line)}`);
    expect(code).toBe(0);
    expect(out).toContain(`src/reaper.ts:${String(line)}  in `);
    expect(out).toMatch(/read as {3}release of .* by del/i);
    expect(out).toMatch(/^release {2}src\/reaper\.ts:\d+:\d+$/m);
    expect(out).toMatch(/violated {2}require-atomic-release {2}certain/);
    expect(out).toMatch(/^ {6}1 acquire {2}src\/reaper\.ts:\d+/m);
    expect(out).toContain('not applicable: ');
  });

  it('tells where a lock stands on a line, and that a fault is reported away from its site', async () => {
    const root = tempTree({ 'src/job.ts': `
interface Lock { acquire(id: string, owner: string, ttlMs: number): Promise<boolean>; release(id: string, owner: string): Promise<void> }
declare function work(id: string): Promise<void>;
async function handle(lock: Lock, id: string, owner: string): Promise<void> {
  if (!(await lock.acquire(id, owner, 30_000))) {
    console.log('busy');
    return;
  }
  await work(id);
  await lock.release(id, owner);
}
export const run = (lock: Lock): Promise<void> => handle(lock, 'a', crypto.randomUUID());
` });
    const busy = await explain(root, 'src/job.ts:6');
    expect(busy.out).toMatch(/lock {6}id, taken at line 5 by .*: not held here$/m);
    expect(busy.out).toMatch(/caller {4}run at src\/job\.ts:12/);
    expect(busy.out).toContain('not judged  no lock operation and no state write stands on this line');
    const working = await explain(root, 'src/job.ts:9');
    expect(working.out).toMatch(/: held here on every path$/m);
    expect(working.out).toMatch(/violated {2}require-release/);
  });

  it('says why a file was not judged', async () => {
    const root = tempTree({ 'src/sum.ts': 'export const sum = 1;\n', 'src/job.ts': 'export const lock = 1;\n' });
    expect((await explain(root, 'src/sum.ts:1')).out).toContain('not judged  the file holds none of the words of a lock or a state write');
    expect(await explain(root, 'src/job.ts:99')).toMatchObject({ code: 2, err: expect.stringContaining('has no line 99') as unknown });
    expect(await explain(root, 'src/gone.ts:1')).toMatchObject({ code: 2, err: expect.stringContaining('There is no file `src/gone.ts`') as unknown });
  });

  it('draws the flow graph of the function', async () => {
    const line = lineOf('src/reaper.ts', '.del(');
    const { out } = await explain(SAMPLE, `src/reaper.ts:${String(line)}`, '--dot');
    expect(out).toMatch(/^digraph flow \{\n/);
    expect(out).toContain('style=dashed');
  });
});
