import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, tempTree } from '../audit/temp-tree.js';
import { commit, fresh, lockWithoutTtl, put, repository, reviewOf, said, stepLock } from './git-tree.js';

const ONE = lockWithoutTtl('one');
const TWO = lockWithoutTtl('two');
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

describe('new, old and mended', () => {
  it('are told apart in a dirty work tree', async () => {
    const root = repository({ 'src/a.ts': ONE, 'src/b.ts': TWO });
    put(root, { 'src/a.ts': `// moved down\n\n${ONE}\n${lockWithoutTtl('three')}`, 'src/b.ts': TWO.replace("'NX'", "'PX', 30_000, 'NX'") });
    const review = await reviewOf(root, 'HEAD', '--rules', 'require-ttl');
    expect(fresh(review)).toEqual(['require-ttl src/a.ts:13']);
    expect(review.change).toMatchObject({ base: 'HEAD', mergeBase: said(root, 'rev-parse', 'HEAD'), filesChanged: 2, new: 1, old: 1, fixed: [{ rule: 'require-ttl', file: 'src/b.ts', line: 2 }] });
    expect(review.findings.map(({ change, causedBy }) => [change, causedBy])).toEqual([['old', undefined], ['new', undefined]]);
  });

  it('files that git does not know yet are new', async () => {
    const root = repository({ 'src/a.ts': ONE });
    put(root, { 'src/new one.ts': TWO });
    expect(fresh(await reviewOf(root, 'HEAD', '--rules', 'require-ttl'))).toEqual(['require-ttl src/new one.ts:2']);
  });

  it('of equal findings the one on the added line is new, not the last', async () => {
    const twice = (head: string): string => `export async function take(redis: import('ioredis').Redis, id: string, owner: string) {\n${head}  if ((await redis.set(\`lock:\${id}\`, owner, 'NX')) !== 'OK') throw new Error('busy');\n}\n`;
    const root = repository({ 'src/a.ts': twice('') });
    put(root, { 'src/a.ts': twice('  // first\n  if ((await redis.set(`lock:${id}`, owner, \'NX\')) !== \'OK\') throw new Error(\'busy\');\n') });
    expect(fresh(await reviewOf(root, 'HEAD', '--rules', 'require-ttl'))).toEqual(['require-ttl src/a.ts:3']);
  });

  it('only new ones fail the run, and old ones are a number unless all are asked for', async () => {
    const root = repository({ 'src/a.ts': ONE });
    const clean = await stepLock(root, 'review', '--base', 'HEAD', '--no-color', '--rules', 'require-ttl');
    expect(clean.code).toBe(0);
    expect(clean.stdout).not.toContain('error certain require-ttl');
    expect(clean.stdout).toMatch(/0 new findings, 0 mended, 1 there before \(listed with --all\)/);
    const all = await stepLock(root, 'review', '--base', 'HEAD', '--all', '--no-color', '--rules', 'require-ttl');
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/require-ttl {2}src\/a\.ts:2/);
    put(root, { 'src/b.ts': TWO });
    const broken = await stepLock(root, 'review', '--base', 'HEAD', '--no-color', '--rules', 'require-ttl');
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/require-ttl {2}src\/b\.ts:2/);
    expect(broken.stdout).not.toMatch(/require-ttl {2}src\/a\.ts:2/);
  });
});

describe('git', () => {
  it('renames keep what was there, with spaces and other letters in the name', async () => {
    const root = repository({ 'src/old name.ts': ONE, 'src/größe/läuft.ts': TWO });
    git(root, 'mv', 'src/old name.ts', 'src/new näme "x".ts');
    commit(root, 'renamed');
    put(root, { 'src/größe/läuft.ts': `${TWO}${lockWithoutTtl('three')}` });
    const review = await reviewOf(root, 'HEAD~1', '--rules', 'require-ttl');
    expect(fresh(review)).toEqual(['require-ttl src/größe/läuft.ts:10']);
    expect(review.change).toMatchObject({ old: 2, fixed: [], filesChanged: 2 });
  });

  it('a deleted file takes its findings with it', async () => {
    const root = repository({ 'src/a.ts': ONE, 'src/b.ts': TWO });
    put(root, { 'src/b.ts': undefined });
    const review = await reviewOf(root, 'HEAD', '--rules', 'require-ttl');
    expect(review.change).toMatchObject({ new: 0, old: 1, fixed: [{ file: 'src/b.ts' }] });
    expect(review.change?.protocol.find(({ kind }) => kind === 'coverage')).toMatchObject({ what: expect.stringContaining('in deleted files'), effect: 'different' });
  });

  it('what the base branch got since is not this change', async () => {
    const root = repository({ 'src/a.ts': ONE });
    git(root, 'checkout', '-q', '-b', 'feature');
    put(root, { 'src/b.ts': TWO });
    commit(root, 'feature');
    git(root, 'checkout', '-q', 'main');
    put(root, { 'src/a.ts': ONE.replace("'NX'", "'PX', 30_000, 'NX'"), 'src/c.ts': lockWithoutTtl('three') });
    commit(root, 'on main');
    git(root, 'checkout', '-q', 'feature');
    const apart = await reviewOf(root, 'main', '--rules', 'require-ttl');
    expect(fresh(apart)).toEqual(['require-ttl src/b.ts:2']);
    expect(apart.change).toMatchObject({ old: 1, fixed: [] });
    git(root, 'merge', '-q', '--no-edit', 'main');
    const merged = await reviewOf(root, 'main', '--rules', 'require-ttl');
    expect(fresh(merged)).toEqual(['require-ttl src/b.ts:2']);
    expect(merged.change).toMatchObject({ old: 1, fixed: [], filesChanged: 1 });
  });

  it('works from a subfolder and on a detached head', async () => {
    const root = repository({ 'packages/a/src/a.ts': ONE, 'packages/b/src/b.ts': TWO });
    put(root, { 'packages/a/src/new.ts': lockWithoutTtl('three'), 'packages/b/src/b.ts': `\n${TWO}` });
    commit(root, 'second');
    git(root, 'checkout', '-q', '--detach');
    const review = await reviewOf(join(root, 'packages/a'), 'main~1', '--rules', 'require-ttl');
    expect(fresh(review)).toEqual(['require-ttl src/new.ts:2']);
    expect(review.change).toMatchObject({ old: 1, filesChanged: 2 });
    expect(review.scope.commit).toBe(said(root, 'rev-parse', 'HEAD'));
  });

  it('a first commit is judged against the empty tree, and its parent is not there', async () => {
    const root = repository({ 'src/a.ts': ONE });
    expect(fresh(await reviewOf(root, EMPTY_TREE, '--rules', 'require-ttl'))).toEqual(['require-ttl src/a.ts:2']);
    const parent = await stepLock(root, 'review', '--base', 'HEAD~1');
    expect(parent).toMatchObject({ code: 2, stdout: '' });
    expect(parent.stderr).toBe(`step-lock: There is no commit \`HEAD~1\`: the history does not reach that far back. A first commit is judged against the empty tree: \`--base ${EMPTY_TREE}\`.\n`);
  });

  it('a shallow clone is told how to fetch', async () => {
    const root = repository({ 'src/a.ts': ONE });
    commit(root, 'second');
    git(root, 'checkout', '-q', '-b', 'feature', 'HEAD~1');
    commit(root, 'feature');
    const clone = join(tempTree({ 'x.txt': '' }), 'clone');
    execFileSync('git', ['clone', '-q', '--depth', '1', '--no-single-branch', `file://${root}`, clone], { stdio: 'ignore' });
    const apart = await stepLock(clone, 'review', '--base', 'origin/main');
    expect(apart.code).toBe(2);
    expect(apart.stderr).toMatch(/is not in this shallow clone\. Fetch more of the history, `git fetch --unshallow`.*`fetch-depth: 0`/);
    const missing = await stepLock(clone, 'review', '--base', 'origin/nowhere');
    expect(missing.stderr).toMatch(/There is no commit `origin\/nowhere` in this repository\. This clone is shallow.*`git fetch origin nowhere`/);
  });

  it('says what is wrong outside of a repository, without a commit, and for histories that never met', async () => {
    const outside = await stepLock(tempTree({ 'a.ts': ONE }), 'review', '--base', 'main');
    expect(outside).toMatchObject({ code: 2, stderr: expect.stringContaining('no git work tree') });

    const unborn = tempTree({ 'a.ts': ONE });
    git(unborn, 'init', '-q', '-b', 'main');
    expect((await stepLock(unborn, 'review', '--base', 'HEAD')).stderr).toMatch(/There is no commit `HEAD`/);

    const root = repository({ 'src/a.ts': ONE });
    git(root, 'checkout', '-q', '--orphan', 'other');
    commit(root, 'other');
    expect((await stepLock(root, 'review', '--base', 'main')).stderr).toMatch(/HEAD and `main` have no common ancestor/);
    expect((await stepLock(root, 'review', '--base', '--upload-pack=x')).code).toBe(2);
  });

  it('leaves no trace in the repository', async () => {
    const root = repository({ 'src/a.ts': ONE });
    put(root, { 'src/a.ts': TWO });
    const before = [said(root, 'status', '--porcelain'), said(root, 'worktree', 'list'), readdirSync(root).join()];
    await reviewOf(root, 'HEAD');
    await stepLock(root, 'review', '--base', 'HEAD');
    expect(existsSync(join(root, '.git/step-lock'))).toBe(true);
    expect([said(root, 'status', '--porcelain'), said(root, 'worktree', 'list'), readdirSync(root).join()]).toEqual(before);
  });
});

describe('the cache', () => {
  it('gives the same answer, kept where it is told to be', async () => {
    const root = repository({ 'src/a.ts': ONE, 'src/b.ts': TWO, '.gitignore': 'kept\n' });
    put(root, { 'src/b.ts': `\n${TWO}${lockWithoutTtl('three')}` });
    const args = ['review', '--base', 'HEAD', '--format', 'json', '--cache-folder', 'kept'];
    const cold = await stepLock(root, ...args);
    expect(existsSync(join(root, 'kept'))).toBe(true);
    const warm = await stepLock(root, ...args);
    expect(warm.stdout).toBe(cold.stdout);
    expect((await stepLock(root, 'review', '--base', 'HEAD', '--format', 'json', '--no-cache')).stdout).toBe(cold.stdout);
    commit(root, 'second');
    put(root, { 'src/a.ts': `${ONE}${lockWithoutTtl('four')}` });
    const later = await stepLock(root, ...args);
    expect(later.stdout).toBe((await stepLock(root, 'review', '--base', 'HEAD', '--format', 'json', '--no-cache')).stdout);
  });
});
