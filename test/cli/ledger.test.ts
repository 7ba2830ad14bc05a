import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, tempTree } from '../audit/temp-tree.js';
import { FAULTY } from '../exceptions/faulty.js';
import { reviewIn, stepLock } from './step-lock.js';

const MENDED = FAULTY.replace("'NX'", "'PX', 30000, 'NX'");
const EXCEPTION = '// step-lock-ignore-next-line require-ttl -- owner: platform, expires: 2026-12-10, reason: one worker';
const ACCEPTED = FAULTY.replace('  const won', `  ${EXCEPTION}\n  const won`);
const FILE = 'runs.jsonl';

interface Line { readonly run: number; readonly commit?: string; readonly uncommitted?: true; readonly verdict: string; readonly opened: { rule: string; file: string }[]; readonly closed: { closing: { by: string } }[]; readonly exceptions: object[] }
const linesOf = (root: string): Line[] => readFileSync(join(root, FILE), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Line);
const moves = (root: string): unknown => linesOf(root).map(({ opened, closed }) => [opened.map(({ rule, file }) => `${rule} ${file}`), closed.map(({ closing }) => closing.by)]);

/** One audit a text, each a day later; `undefined` takes the file away. */
async function runs(texts: readonly (string | undefined)[], ...flags: string[]): Promise<string> {
  const root = tempTree({ 'src/a.ts': '', 'src/other.ts': MENDED.replaceAll('nightly', 'weekly') });
  for (const [at, text] of texts.entries()) {
    if (text === undefined) rmSync(join(root, 'src/a.ts'));
    else writeFileSync(join(root, 'src/a.ts'), text);
    await stepLock(root, 'audit', '--ledger', FILE, '--as-of', `2026-12-0${String(at + 1)}`, ...flags);
  }
  return root;
}

describe('audit --ledger', () => {
  it('tells what a run opened, and the evidence that closed it', async () => {
    const root = await runs([FAULTY, FAULTY, MENDED, FAULTY]);
    expect(moves(root)).toEqual([[['require-ttl src/a.ts'], []], [[], []], [[], ['verified']], [['require-ttl src/a.ts'], []]]);
    expect(linesOf(root)[2]?.closed).toMatchObject([{ rule: 'require-ttl', closing: { by: 'verified', at: 'src/a.ts:5:21', evidence: [{ file: 'src/a.ts', line: 5, note: expect.stringMatching(/./) }] } }]);
  });

  it('tells that the operation is gone', async () => {
    expect(moves(await runs([FAULTY, 'export {};']))).toEqual([[['require-ttl src/a.ts'], []], [[], ['gone']]]);
    expect(moves(await runs([FAULTY, undefined]))).toEqual([[['require-ttl src/a.ts'], []], [[], ['gone']]]);
  });

  it('tells the exception that accepted it, and opens it anew when that has ended', async () => {
    const root = await runs([FAULTY, ACCEPTED]);
    await stepLock(root, 'audit', '--ledger', FILE, '--as-of', '2026-12-11');
    expect(moves(root)).toEqual([[['require-ttl src/a.ts'], []], [[], ['exception']], [['require-ttl src/a.ts'], []]]);
    expect(linesOf(root)[1]?.closed).toMatchObject([{ closing: { by: 'exception', owner: 'platform', expires: '2026-12-10', reason: 'one worker', file: 'src/a.ts', line: 5 } }]);
    expect(linesOf(root).map(({ exceptions }) => exceptions)).toMatchObject([[], [{ status: 'expiring', owner: 'platform', accepts: [expect.stringMatching(/^\w{20}$/)] }], [{ status: 'expired', accepts: [] }]]);
  });

  it('tells the evidence that mended what was only accepted before, and tells neither twice', async () => {
    expect(moves(await runs([FAULTY, ACCEPTED, ACCEPTED, MENDED, MENDED]))).toEqual([[['require-ttl src/a.ts'], []], [[], ['exception']], [[], []], [[], ['verified']], [[], []]]);
  });

  it('closes nothing that a run did not look for', async () => {
    const root = await runs([FAULTY]);
    for (const flags of [['src/other.ts'], ['--rules', 'require-release']]) await stepLock(root, 'audit', '--ledger', FILE, '--as-of', '2026-12-02', ...flags);
    expect(moves(root)).toEqual([[['require-ttl src/a.ts'], []], [[], []], [[], []]]);
  });

  it('names the commit, and whether files differ from it', async () => {
    const root = tempTree({ 'a.ts': FAULTY });
    git(root, 'init', '-q');
    await stepLock(root, 'audit', '--ledger', FILE);
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'first');
    await stepLock(root, 'audit', '--ledger', FILE);
    writeFileSync(join(root, 'a.ts'), MENDED);
    await stepLock(root, 'audit', '--ledger', FILE);
    const lines = linesOf(root);
    expect(lines.map(({ commit, uncommitted }) => [commit?.length, uncommitted])).toEqual([[undefined, undefined], [40, undefined], [40, true]]);
  });

  it('appends nothing to a ledger that is broken', async () => {
    const root = await runs([FAULTY, MENDED]);
    const text = readFileSync(join(root, FILE), 'utf8').replace('require-ttl', 'require-xxx');
    writeFileSync(join(root, FILE), text);
    const run = await stepLock(root, 'audit', '--ledger', FILE);
    expect(run.status).toBe(2);
    expect(run.stderr).toBe(`step-lock: Line 1 of ${FILE} was changed after it was written: its hash does not fit what it says, so that this run was not written to it. Bring the ledger back from version control, or begin a new one under another name.\n`);
    expect(readFileSync(join(root, FILE), 'utf8')).toBe(text);
  });

  it('makes no file without the flag', async () => {
    const root = tempTree({ 'a.ts': FAULTY });
    await stepLock(root, 'audit');
    expect(existsSync(join(root, FILE))).toBe(false);
  });
});

describe('ledger', () => {
  it('tells that a ledger is whole, and what is open', async () => {
    const root = await runs([MENDED, FAULTY]);
    const { status, stdout, stderr } = await stepLock(root, 'ledger', FILE);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^runs\.jsonl: 2 runs from 2026-12-01 to 2026-12-02, each joined to the one before\nhead {8}[0-9a-f]{64}\nverdict {5}not-ready\nopen {8}1 finding\n {12}\w{20} require-ttl src\/a\.ts:5 since run 2\n$/);
  });

  it('shows the record of a finding', async () => {
    const root = await runs([FAULTY, ACCEPTED, MENDED]);
    const fingerprint = (await reviewIn(root, '--as-of', '2026-12-01')).findings[0]?.fingerprint ?? /"fingerprint":"(\w+)"/.exec(readFileSync(join(root, FILE), 'utf8'))?.[1] ?? '';
    const { status, stdout } = await stepLock(root, 'ledger', FILE, '--finding', fingerprint.slice(0, 10));
    expect(status).toBe(0);
    expect(stdout).toContain(`run 1  2026-12-01  no commit  opened  ${fingerprint} require-ttl\n    error certain at src/a.ts:5, in nightly\n`);
    expect(stdout).toContain(`run 2  2026-12-02  no commit  closed  ${fingerprint} require-ttl\n    accepted by platform until 2026-12-10, at src/a.ts:5: one worker\n`);
    expect(stdout).toContain(`run 3  2026-12-03  no commit  closed  ${fingerprint} require-ttl\n    proven right at src/a.ts:5:21\n`);
    expect(stdout).toMatch(/It is closed\.\n$/);
  });

  it('tells the line where it is broken, and exits with 1', async () => {
    const root = await runs([FAULTY, MENDED, FAULTY]);
    const [first = '', , third = ''] = readFileSync(join(root, FILE), 'utf8').split('\n');
    writeFileSync(join(root, FILE), `${first}\n${third}\n`);
    const run = await stepLock(root, 'ledger', FILE);
    expect(run).toMatchObject({ status: 1, stderr: `step-lock: Line 2 of ${FILE} does not follow the line before it: a line was taken out, put in or moved. What is told below ends before it.\n` });
    expect(run.stdout).toContain('1 run from');
  });

  it('misses lines that were taken from the end only by a hash that was kept', async () => {
    const root = await runs([FAULTY, MENDED]);
    const whole = readFileSync(join(root, FILE), 'utf8');
    const head = /"hash":"(\w+)"\}\n$/.exec(whole)?.[1] ?? '';
    expect((await stepLock(root, 'ledger', FILE, '--head', head)).status).toBe(0);
    writeFileSync(join(root, FILE), whole.slice(0, whole.indexOf('\n') + 1));
    expect((await stepLock(root, 'ledger', FILE)).status).toBe(0);
    expect(await stepLock(root, 'ledger', FILE, '--head', head)).toMatchObject({ status: 1, stderr: expect.stringContaining('what was written up to there was taken away or written anew') });
  });

  it.each([
    [['nothing.jsonl'], 'There is no ledger `nothing.jsonl`.'],
    [[FILE, '--finding', '0123456789'], `${FILE} knows no finding \`0123456789\`.`],
    [[FILE, '--finding', 'f1'], '`f1` is not the beginning of a hash.'],
    [[FILE, '--head', 'zzzzzzzzzz'], '`zzzzzzzzzz` is not the beginning of a hash.'],
  ])('refuses %j', async (args, message) => {
    const run = await stepLock(await runs([MENDED]), 'ledger', ...args);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});
