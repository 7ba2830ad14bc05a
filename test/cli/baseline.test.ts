import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempTree } from '../audit/temp-tree.js';
import { FAULTY } from '../exceptions/faulty.js';
import { reviewIn, stepLock } from './step-lock.js';

const MENDED = FAULTY.replace("'NX'", "'PX', 30000, 'NX'");
const FILE = 'step-lock.baseline.json';
const entriesIn = (root: string, name = FILE): string[] =>
  (JSON.parse(readFileSync(join(root, name), 'utf8')) as { findings: { file: string; rule: string }[] }).findings.map(({ file, rule }) => `${rule} ${file}`);

async function adopted(): Promise<string> {
  const root = tempTree({ 'src/b.ts': FAULTY, 'src/a.ts': FAULTY });
  expect(await stepLock(root, 'audit', '--update-baseline')).toMatchObject({ status: 0, stderr: `step-lock: ${FILE} holds 2 findings: 2 added, 0 dropped.\n` });
  return root;
}

describe('baseline', () => {
  it('holds the findings of a run, sorted, one a line, and fails none of them', async () => {
    const root = await adopted();
    expect(readFileSync(join(root, FILE), 'utf8')).toMatch(/^\{\n {2}"schemaVersion": 1,\n {2}"findings": \[\n {4}\{"file":"src\/a\.ts","rule":"require-ttl","fingerprint":"\w{20}"\},\n {4}\{"file":"src\/b\.ts",.*\}\n {2}\]\n\}\n$/);
    const run = await stepLock(root, 'audit');
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toContain('accepted    2 findings in the baseline, from before step-lock was adopted\n');
    expect(run.stdout).not.toMatch(/^error/m);
    const review = await reviewIn(root);
    expect(review.findings.map(({ baseline }) => baseline)).toEqual([true, true]);
    // Nobody answers for what is in a baseline.
    expect(review.verdict).toBe('not-ready');
    expect((await stepLock(root, 'audit', '--no-baseline')).status).toBe(1);
  });

  it('a new finding fails, an old one that moved does not', async () => {
    const root = await adopted();
    writeFileSync(join(root, 'src/a.ts'), `// moved\n\n${FAULTY}`);
    expect((await stepLock(root, 'audit')).status).toBe(0);
    writeFileSync(join(root, 'src/c.ts'), FAULTY.replaceAll('nightly', 'weekly'));
    const run = await stepLock(root, 'audit');
    expect(run.status).toBe(1);
    expect(run.stdout.match(/^error .*$/gm)).toEqual(['error certain require-ttl  src/c.ts:5:21']);
  });

  it('writes the same bytes for the same findings', async () => {
    const root = await adopted();
    const before = readFileSync(join(root, FILE), 'utf8');
    await stepLock(root, 'audit', '--update-baseline', '--prune');
    expect(readFileSync(join(root, FILE), 'utf8')).toBe(before);
  });

  it('tells what is stale, keeps it in an update, and drops it when asked', async () => {
    const root = await adopted();
    writeFileSync(join(root, 'src/b.ts'), MENDED);
    const stale = `step-lock: 1 entry of ${FILE} names no finding any more. --prune drops it.\n`;
    expect((await stepLock(root, 'audit')).stderr).toBe(stale);
    expect((await stepLock(root, 'audit', '--update-baseline')).stderr).toBe(`step-lock: ${FILE} holds 2 findings: 0 added, 0 dropped.\n${stale}`);
    expect((await stepLock(root, 'audit', '--prune')).stderr).toBe(`step-lock: ${FILE} holds 1 finding: 0 added, 1 dropped.\n`);
    expect(entriesIn(root)).toEqual(['require-ttl src/a.ts']);
  });

  it('--prune alone takes up nothing new', async () => {
    const root = await adopted();
    rmSync(join(root, 'src/a.ts'));
    writeFileSync(join(root, 'src/c.ts'), FAULTY.replaceAll('nightly', 'weekly'));
    expect((await stepLock(root, 'audit', '--prune')).status).toBe(1);
    expect(entriesIn(root)).not.toContain('require-ttl src/c.ts');
  });

  it('what a run over one folder or with other rules does not see is not stale', async () => {
    const root = await adopted();
    writeFileSync(join(root, 'lib.ts'), '');
    for (const flags of [['lib.ts'], ['--rules', 'require-release']]) {
      expect((await stepLock(root, 'audit', '--prune', ...flags)).stderr).toBe(`step-lock: ${FILE} holds 2 findings: 0 added, 0 dropped.\n`);
    }
  });

  it('an accepted finding is not taken up', async () => {
    const root = tempTree({ 'a.ts': FAULTY.replace('  const won', '  // step-lock-ignore-next-line require-ttl -- owner: a, expires: 2999-01-01, reason: b\n  const won') });
    await stepLock(root, 'audit', '--update-baseline');
    expect(entriesIn(root)).toEqual([]);
  });

  it('may have another name', async () => {
    const root = tempTree({ 'a.ts': FAULTY });
    await stepLock(root, 'audit', '--update-baseline', '--baseline', 'old.json');
    expect(entriesIn(root, 'old.json')).toEqual(['require-ttl a.ts']);
    expect(existsSync(join(root, FILE))).toBe(false);
    expect((await stepLock(root, 'audit', '--baseline', 'old.json')).status).toBe(0);
    expect((await stepLock(root, 'audit')).status).toBe(1);
  });

  it.each([
    ['a baseline that is not there', undefined, ['--baseline', 'old.json'], 'There is no baseline `old.json`. Write one with --update-baseline'],
    ['nothing to prune', undefined, ['--prune'], `There is no baseline \`${FILE}\`.`],
    ['none and an update', undefined, ['--no-baseline', '--update-baseline'], '`--no-baseline` leaves no baseline to write.'],
    ['half a merge', '{\n<<<<<<< HEAD\n', [], 'It holds the marks of a merge that was not finished. Take it away and write it anew with --update-baseline.'],
    ['a wrong entry', '{ "schemaVersion": 1, "findings": [{ "fingerprint": "xyz", "rule": "r", "file": "f" }] }', [], `\`findings[0].fingerprint\` in ${FILE} must be a fingerprint`],
  ])('refuses %s', async (_, text, flags, message) => {
    const run = await stepLock(tempTree({ 'a.ts': FAULTY, ...(text === undefined ? {} : { [FILE]: text }) }), 'audit', ...flags);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain(message);
  });
});
