import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, tempTree } from '../audit/temp-tree.js';
import { FAULTY } from '../exceptions/faulty.js';
import { stepLock } from './step-lock.js';

const EXPIRED = FAULTY.replace('  const won', '  // step-lock-ignore-next-line require-ttl -- owner: platform, expires: 2026-01-01, reason: one worker\n  const won');

/** A repository with an exception that has ended, then a change. */
function changed(files: Readonly<Record<string, string>>): string {
  const root = tempTree({ 'src/a.ts': EXPIRED, 'src/other.ts': 'export {};\n' });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'base');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
  return root;
}

const review = (root: string) => stepLock(root, 'review', '--base', 'main', '--as-of', '2026-12-01', '--fail-on', 'warning');

it('an expired exception is no matter of an unrelated change, and one of the change that touches it', async () => {
  const unrelated = await review(changed({ 'src/other.ts': 'export const other = 1;\n' }));
  expect(unrelated.stdout).not.toContain('expired');
  expect(unrelated.status).toBe(0);
  const touched = await review(changed({ 'src/a.ts': EXPIRED.replace('one worker', 'still one worker') }));
  expect(touched.stdout).toContain('expired    src/a.ts:5 require-ttl by platform');
  expect(touched.status).toBe(1);
});

it('a finding that a change brings with its exception is accepted', async () => {
  const added = FAULTY.replaceAll('nightly', 'weekly').replace('  const won', '  // step-lock-ignore-next-line require-ttl -- owner: platform, expires: 2027-03-01, reason: one worker\n  const won');
  const root = changed({ 'src/b.ts': added });
  expect((await review(root)).status).toBe(0);
  writeFileSync(join(root, 'src/b.ts'), added.replace('owner: platform, ', ''));
  expect((await review(root)).status).toBe(1);
});

it('what the baseline holds does not fail a change', async () => {
  const root = changed({ 'src/b.ts': FAULTY.replaceAll('nightly', 'weekly') });
  expect((await review(root)).status).toBe(1);
  await stepLock(root, 'audit', '--update-baseline', '--as-of', '2026-12-01');
  expect((await review(root)).status).toBe(0);
});

it.each(['--update-baseline', '--prune', '--fix-dry-run'])('a review writes no baseline and prints no fixes: %s', async (flag) => {
  expect(await stepLock(changed({}), 'review', '--base', 'main', flag)).toMatchObject({ status: 2, stderr: expect.stringContaining(`unknown option '${flag}'`) });
});
