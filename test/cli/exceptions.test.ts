import { describe, expect, it } from 'vitest';
import type { Review } from '../../src/review/types.js';
import { tempTree } from '../audit/temp-tree.js';
import { FAULTY, entry } from '../exceptions/faulty.js';
import { reviewIn, stepLock } from './step-lock.js';

const COMMENT = '// step-lock-ignore-next-line require-ttl -- owner: platform, expires: 2027-03-01, reason: one worker, drained by hand';
const ACCEPTED = FAULTY.replace('  const won', `  ${COMMENT}\n  const won`);
const AS_OF = ['--as-of', '2026-12-01'];

const told = ({ exceptions }: Review): unknown => exceptions.map(({ id, rule, file, line, source, status, problem, findings }) => ({ id, rule, file, line, source, status, ...(problem === undefined ? {} : { problem }), findings }));

describe('audit with exceptions', () => {
  it('lists what a comment accepts, and passes', async () => {
    const root = tempTree({ 'src/a.ts': ACCEPTED });
    const review = await reviewIn(root, ...AS_OF);
    expect(review.scope.asOf).toBe('2026-12-01');
    expect(told(review)).toEqual([{ id: 'x1', rule: 'require-ttl', file: 'src/a.ts', line: 5, source: 'comment', status: 'active', findings: ['f1'] }]);
    expect(review.findings).toMatchObject([{ rule: 'require-ttl', exception: 'x1' }]);
    expect(review.exceptions).toMatchObject([{ owner: 'platform', expires: '2027-03-01', reason: 'one worker, drained by hand' }]);
    const run = await stepLock(root, 'audit', ...AS_OF);
    expect(run.status).toBe(0);
    expect(run.stdout).toContain('accepted    src/a.ts:6 require-ttl by platform until 2027-03-01: one worker, drained by hand\n');
    expect(run.stdout).not.toMatch(/^error/m);
    expect(run.stdout).toContain('Nothing is violated beside 1 accepted finding, but facts are missing');
  });

  it('the verdict is not kept from being better by what is accepted', async () => {
    expect((await reviewIn(tempTree({ 'a.ts': FAULTY }), ...AS_OF)).verdict).toBe('not-ready');
    expect((await reviewIn(tempTree({ 'a.ts': ACCEPTED }), ...AS_OF)).verdict).toBe('undecided');
  });

  it('an expired one accepts nothing, and is told', async () => {
    const root = tempTree({ 'src/a.ts': ACCEPTED });
    const run = await stepLock(root, 'audit', '--as-of', '2027-03-02');
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(/^error certain require-ttl/m);
    expect(run.stdout).toContain('exceptions  1 exception that needs attention:\n            expired    src/a.ts:5 require-ttl by platform: it ended on 2027-03-01: mend the finding, or decide anew\n');
  });

  it('tells from 30 days before that it ends', async () => {
    const root = tempTree({ 'src/a.ts': ACCEPTED });
    const status = async (asOf: string): Promise<unknown> => told(await reviewIn(root, '--as-of', asOf));
    expect(await status('2027-01-29')).toMatchObject([{ status: 'active' }]);
    expect(await status('2027-01-30')).toMatchObject([{ status: 'expiring', problem: 'it ends in 30 days, on 2027-03-01', findings: ['f1'] }]);
    expect(await status('2027-03-01')).toMatchObject([{ status: 'expiring', problem: 'it ends today' }]);
    expect((await stepLock(root, 'audit', '--as-of', '2027-03-01', '--fail-on', 'warning')).status).toBe(0);
  });

  it('an unused one and one without an owner count as warnings', async () => {
    const unused = tempTree({ 'a.ts': ACCEPTED.replace("'NX'", "'PX', 30000, 'NX'") });
    expect(told(await reviewIn(unused, ...AS_OF))).toMatchObject([{ status: 'unused', problem: expect.stringMatching(/^it accepts nothing/) }]);
    const unowned = tempTree({ 'a.ts': ACCEPTED.replace('owner: platform, ', '') });
    expect(told(await reviewIn(unowned, ...AS_OF))).toMatchObject([{ status: 'incomplete', problem: 'it does not say `owner`' }]);
    expect((await stepLock(unused, 'audit', ...AS_OF)).status).toBe(0);
    expect((await stepLock(unused, 'audit', ...AS_OF, '--fail-on', 'warning')).status).toBe(1);
    expect((await stepLock(unused, 'audit', ...AS_OF, '--max-warnings', '0')).status).toBe(1);
    expect((await stepLock(unused, 'audit', ...AS_OF, '--max-warnings', '1')).status).toBe(0);
  });

  it('an unknown rule is told', async () => {
    const root = tempTree({ 'a.ts': ACCEPTED.replace('line require-ttl', 'line require-tll') });
    expect(told(await reviewIn(root, ...AS_OF))).toMatchObject([{ status: 'incomplete', problem: 'there is no rule `require-tll`' }]);
  });

  it('reads step-lock.exceptions.json, with the line of each entry', async () => {
    const root = tempTree({
      'src/a.ts': FAULTY, 'src/b.ts': FAULTY,
      'step-lock.exceptions.json': entry({ rule: 'require-ttl', file: 'src/a.ts' }, { rule: 'require-ttl', file: 'lib/**' }),
    });
    const review = await reviewIn(root, ...AS_OF);
    expect(told(review)).toMatchObject([
      { id: 'x1', source: 'file', file: 'step-lock.exceptions.json', line: 4, status: 'active', findings: ['f1'] },
      { id: 'x2', source: 'file', file: 'step-lock.exceptions.json', line: 11, status: 'unused', findings: [] },
    ]);
    expect(review.findings.map(({ file, exception }) => [file, exception])).toEqual([['src/a.ts', 'x1'], ['src/b.ts', undefined]]);
  });

  it('accepts one of two equal findings by its fingerprint', async () => {
    const root = tempTree({ 'src/a.ts': FAULTY, 'src/b.ts': FAULTY });
    const [, second] = (await reviewIn(root, ...AS_OF)).findings;
    const again = tempTree({ 'src/a.ts': FAULTY, 'src/b.ts': FAULTY, 'step-lock.exceptions.json': entry({ rule: 'require-ttl', fingerprint: second?.fingerprint }) });
    expect((await reviewIn(again, ...AS_OF)).findings.map(({ exception }) => exception)).toEqual([undefined, 'x1']);
  });

  it('an entry is not unused where its files or its rule were not looked at', async () => {
    const root = tempTree({ 'src/a.ts': FAULTY, 'lib/b.ts': FAULTY, 'step-lock.exceptions.json': entry({ rule: 'require-ttl', file: 'src/a.ts' }, { rule: 'require-ttl', fingerprint: '0011223344' }) });
    expect(told(await reviewIn(root, ...AS_OF, 'lib'))).toMatchObject([{ status: 'active', findings: [] }, { status: 'active', findings: [] }]);
    expect(told(await reviewIn(root, ...AS_OF, '--rules', 'require-release'))).toMatchObject([{ status: 'active' }, { status: 'active' }]);
    expect(told(await reviewIn(root, ...AS_OF))).toMatchObject([{ status: 'active' }, { status: 'unused' }]);
  });

  it('markdown has a section for each', async () => {
    const root = tempTree({ 'src/a.ts': ACCEPTED, 'src/b.ts': ACCEPTED.replace('owner: platform, ', '') });
    const { stdout } = await stepLock(root, 'audit', ...AS_OF, '--format', 'markdown');
    expect(stdout).toContain('### Accepted\n');
    expect(stdout).toContain('<summary>f1 error, certain: require-ttl at src/a.ts:6</summary>');
    expect(stdout).toContain('| x1 | active | `require-ttl` | platform | 2027-03-01 | one worker, drained by hand | `src/a.ts:5` | f1 |  |');
    expect(stdout).toMatch(/\| x2 \| \*\*incomplete\*\* \| `require-ttl` \| nobody \| .* \| `src\/b\.ts:5` \| nothing \| it does not say `owner` \|/);
    expect(stdout).toContain('- Exceptions judged as of 2026-12-01.');
  });

  it.each([
    ['{ "schemaVersion": 2, "exceptions": [] }', '`schemaVersion` in step-lock.exceptions.json must be `1`, not `2`.'],
    ['{ "schemaVersion": 1, "exceptions": [ }', 'step-lock.exceptions.json cannot be read:'],
    ['{ "schemaVersion": 1, "exceptions": [{ "rule": "r" }] }', '`exceptions[0]` in step-lock.exceptions.json names no finding: give it a `fingerprint`, or a `file`.'],
    ['{ "schemaVersion": 1, "exceptions": [{ "rule": "r", "file": "a", "expires": "2027-02-30" }] }', '`exceptions[0].expires` in step-lock.exceptions.json must be a day of the calendar like `2027-03-01`.'],
  ])('refuses %s', async (text, message) => {
    const run = await stepLock(tempTree({ 'a.ts': '', 'step-lock.exceptions.json': text }), 'audit');
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });

  it('refuses a day that is none', async () => {
    const run = await stepLock(tempTree({ 'a.ts': '' }), 'audit', '--as-of', '2027-13-01');
    expect(run).toMatchObject({ status: 2, stderr: 'step-lock: `2027-13-01` is no day of the calendar. Give --as-of a day like 2027-03-01, or leave it out for today.\n' });
  });
});

describe('explain --exception', () => {
  const copied = (stdout: string): { comment: string; entry: string } => ({
    comment: /^ {2}((?:\/\/|\{\/\*) step-lock-ignore.*)$/m.exec(stdout)?.[1] ?? '',
    entry: /^ {2}\{\n[\s\S]*?^ {2}\}$/m.exec(stdout)?.[0] ?? '',
  });
  const filled = (text: string): string => text.replace('<who answers for it>', 'platform').replace('<why it is accepted>', 'one worker, drained by hand');

  it('prints what accepts the finding once it is filled in, as a comment and as an entry', async () => {
    const root = tempTree({ 'src/a.ts': FAULTY });
    const { stdout, status } = await stepLock(root, 'explain', 'src/a.ts:5', '--exception', ...AS_OF);
    expect(status).toBe(0);
    const { comment, entry: json } = copied(stdout);
    expect(comment).toBe('// step-lock-ignore-next-line require-ttl -- owner: <who answers for it>, expires: 2027-03-01, reason: <why it is accepted>');
    const withComment = (said: string): string => tempTree({ 'src/a.ts': FAULTY.replace('  const won', `  ${said}\n  const won`) });
    expect(told(await reviewIn(withComment(comment), ...AS_OF))).toMatchObject([{ status: 'incomplete', problem: 'it does not say `owner` and `reason`' }]);
    expect(told(await reviewIn(withComment(filled(comment)), ...AS_OF))).toMatchObject([{ status: 'active', findings: ['f1'] }]);
    const withEntry = tempTree({ 'src/a.ts': FAULTY, 'step-lock.exceptions.json': `{ "schemaVersion": 1, "exceptions": [${filled(json)}] }` });
    expect(told(await reviewIn(withEntry, ...AS_OF))).toMatchObject([{ status: 'active', findings: ['f1'] }]);
  });

  it('names a finding by fingerprint, by its first digits and by id', async () => {
    const root = tempTree({ 'src/a.ts': FAULTY });
    const byPlace = (await stepLock(root, 'explain', 'src/a.ts:5', '--exception', ...AS_OF)).stdout;
    const fingerprint = /"fingerprint": "(\w+)"/.exec(byPlace)?.[1] ?? '';
    for (const name of [fingerprint, fingerprint.slice(0, 8), 'f1', './src/a.ts:5:3']) expect((await stepLock(root, 'explain', name, '--exception', ...AS_OF)).stdout).toBe(byPlace);
  });

  it.each(['src/a.ts:4', 'f2', 'abcdef0123456789'])('says that nothing is reported: %s', async (what) => {
    const run = await stepLock(tempTree({ 'src/a.ts': FAULTY }), 'explain', what, '--exception');
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(`No finding is called \`${what}\` or reported there`);
  });
});
