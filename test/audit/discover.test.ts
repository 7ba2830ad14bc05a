import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discover, type Discovery } from '../../src/audit/discover.js';
import { relativePath } from '../../src/audit/file-path.js';
import { UserMistake } from '../../src/audit/user-mistake.js';
import { git, tempTree } from './temp-tree.js';

const NOTHING = { test: false, generated: false, declaration: false };

function find(root: string, paths: readonly string[] = ['.'], include = NOTHING): Discovery {
  return discover({ root, paths, include });
}
const names = (root: string, found: Discovery): string[] => found.files.map(({ path }) => relativePath(root, path));
const reasons = (root: string, found: Discovery): Record<string, string> =>
  Object.fromEntries(found.skipped.map(({ path, reason }) => [relativePath(root, path), reason.replace(/ \(.*/, '')]));

describe('outside of git', () => {
  it('lists every source extension in the order of the paths and nothing else', () => {
    const root = tempTree({ 'z.ts': '', 'b/a.tsx': '', 'b.mts': '', 'c.cts': '', 'd.js': '', 'e.mjs': '', 'f.cjs': '', 'g.jsx': '', 'h.vue': '', 'i.json': '{}', 'README.md': '' });
    expect(names(root, find(root))).toEqual(['b.mts', 'b/a.tsx', 'c.cts', 'd.js', 'e.mjs', 'f.cjs', 'g.jsx', 'z.ts']);
  });

  it('honours .gitignore at every level, and a deeper file may take a name back', () => {
    const root = tempTree({
      '.gitignore': 'secret/\n*.old.ts\n', 'secret/a.ts': '', 'a.old.ts': '', 'b.ts': '',
      'pkg/.gitignore': '!keep.old.ts\nlocal.ts\n', 'pkg/keep.old.ts': '', 'pkg/local.ts': '', 'pkg/inner/local.ts': '', 'local.ts': '',
    });
    expect(names(root, find(root))).toEqual(['b.ts', 'local.ts', 'pkg/keep.old.ts']);
  });

  it('honours the .gitignore of the working directory when only a folder of it is asked for', () => {
    const root = tempTree({ '.gitignore': 'src/private\n', 'src/private/a.ts': '', 'src/b.ts': '' });
    expect(names(root, find(root, ['src']))).toEqual(['src/b.ts']);
  });

  it('lists an ignored folder when the user names it', () => {
    const root = tempTree({ '.gitignore': 'vendor\n', 'vendor/lib/a.ts': '', 'b.ts': '' });
    expect(names(root, find(root))).toEqual(['b.ts']);
    expect(names(root, find(root, ['vendor/lib']))).toEqual(['vendor/lib/a.ts']);
  });

  it('enters no node_modules and names the output folders it leaves out', () => {
    const root = tempTree({ 'node_modules/x/index.ts': '', 'dist/a.js': '', 'pkg/.next/b.js': '', 'src/layout/c.ts': '' });
    const found = find(root);
    expect(names(root, found)).toEqual(['src/layout/c.ts']);
    expect(reasons(root, found)).toEqual({ dist: 'build output folder', 'pkg/.next': 'build output folder' });
  });

  it('takes a folder named build with TypeScript in it for sources', () => {
    const root = tempTree({ 'src/build/steps/run.ts': '', 'src/out/made.js': '', 'src/out/made.d.ts': '' });
    expect(names(root, find(root))).toEqual(['src/build/steps/run.ts']);
  });

  it('does not follow a link to a folder, so that a circle ends', () => {
    const root = tempTree({ 'src/a.ts': '' });
    symlinkSync(root, join(root, 'src/loop'));
    expect(names(root, find(root))).toEqual(['src/a.ts']);
  });

  it('does not judge a file twice because a link points at it', () => {
    const root = tempTree({ 'src/a.ts': '' });
    symlinkSync('a.ts', join(root, 'src/same.ts'));
    expect(names(root, find(root))).toEqual(['src/a.ts']);
    expect(reasons(root, find(root))).toEqual({ 'src/same.ts': 'symbolic link' });
    expect(names(root, find(root, ['src/same.ts']))).toEqual(['src/same.ts']);
  });

  it.skipIf(process.getuid?.() === 0)('names a folder that cannot be listed', () => {
    const root = tempTree({ 'closed/a.ts': '', 'b.ts': '' });
    chmodSync(join(root, 'closed'), 0);
    expect(reasons(root, find(root))).toEqual({ closed: 'folder cannot be listed' });
    chmodSync(join(root, 'closed'), 0o755);
  });
});

describe('in a git work tree', () => {
  it('lists tracked and new files, and leaves out what is ignored', () => {
    const root = tempTree({ '.gitignore': 'ignored.ts\n', 'tracked.ts': '', 'new.ts': '', 'ignored.ts': '' });
    git(root, 'init');
    git(root, 'add', 'tracked.ts');
    expect(names(root, find(root))).toEqual(['new.ts', 'tracked.ts']);
  });

  it('judges a tracked output folder and leaves out an untracked one', () => {
    const root = tempTree({ 'build/kept.ts': '', 'dist/made.js': '', 'a.ts': '' });
    git(root, 'init');
    git(root, 'add', 'build');
    const found = find(root);
    expect(names(root, found)).toEqual(['a.ts', 'build/kept.ts']);
    expect(reasons(root, found)).toEqual({ dist: 'build output folder' });
  });

  it('lists names with spaces and letters beyond ASCII as they are', () => {
    const root = tempTree({ 'src/a file.ts': '', 'src/größe.ts': '' });
    git(root, 'init');
    git(root, 'add', '.');
    expect(names(root, find(root))).toEqual(['src/a file.ts', 'src/größe.ts']);
  });

  it('lists only the folder asked for and knows where the working directory lies', () => {
    const root = tempTree({ 'packages/a/src/a.ts': '', 'packages/b/src/b.ts': '', 'packages/b/package.json': '{"name":"b"}' });
    git(root, 'init');
    const found = find(join(root, 'packages/a'));
    expect(names(join(root, 'packages/a'), found)).toEqual(['src/a.ts']);
    expect(found.pathPrefix).toBe('packages/a/');
    expect(found.configFiles).toEqual([join(root, 'packages/b/package.json')]);
  });

  it('walks a folder that git ignores when the user names it', () => {
    const root = tempTree({ '.gitignore': 'vendor\n', 'vendor/lib/a.ts': '' });
    git(root, 'init');
    expect(names(root, find(root))).toEqual([]);
    expect(names(root, find(root, ['vendor']))).toEqual(['vendor/lib/a.ts']);
  });

  it('lists the files of a repository inside the repository', () => {
    const root = tempTree({ 'a.ts': '', 'inner/b.ts': '', 'inner/.gitignore': 'c.ts\n', 'inner/c.ts': '' });
    git(root, 'init');
    git(join(root, 'inner'), 'init');
    expect(names(root, find(root))).toEqual(['a.ts', 'inner/b.ts']);
  });

  it('says nothing of a tracked folder that was deleted', () => {
    const root = tempTree({ 'gone/a.ts': '', 'b.ts': '' });
    git(root, 'init');
    git(root, 'add', '.');
    rmSync(join(root, 'gone'), { recursive: true });
    expect(find(root).skipped).toEqual([]);
  });
});

describe('what is left out', () => {
  const files = {
    'src/a.ts': '', 'src/a.test.ts': '', 'src/a.spec.tsx': '', 'src/__tests__/b.ts': '', 'test/c.ts': '', 'tests/d.ts': '', 'e2e/e.ts': '',
    'src/__mocks__/f.ts': '', 'fixtures/g.ts': '', 'cypress/h.ts': '', 'src/i.stories.tsx': '',
    'src/generated/j.ts': '', 'src/k.generated.ts': '', 'src/l.gen.ts': '', 'src/m.d.ts': '', 'src/n.d.mts': '',
    'src/contest/o.ts': '', 'src/latest.ts': '', 'db/migrations/p.ts': '', 'db/migrations/generated/q.ts': '',
  };

  it('leaves out tests, generated and declaration files, and keeps migrations', () => {
    const root = tempTree(files);
    const found = find(root);
    expect(names(root, found)).toEqual(['db/migrations/generated/q.ts', 'db/migrations/p.ts', 'src/a.ts', 'src/contest/o.ts', 'src/latest.ts']);
    expect(reasons(root, found)).toMatchObject({ 'src/a.test.ts': 'test code', 'fixtures/g.ts': 'test code', 'src/l.gen.ts': 'generated code', 'src/n.d.mts': 'declaration file' });
    expect(found.skipped).toHaveLength(Object.keys(files).length - 5);
  });

  it('brings each kind back when asked', () => {
    const root = tempTree(files);
    expect(names(root, find(root, ['.'], { ...NOTHING, test: true }))).toContain('src/i.stories.tsx');
    expect(names(root, find(root, ['.'], { ...NOTHING, generated: true }))).toContain('src/generated/j.ts');
    expect(names(root, find(root, ['.'], { ...NOTHING, declaration: true }))).toContain('src/m.d.ts');
  });

  it('judges what the user names: a file of any kind, and the test folder itself', () => {
    const root = tempTree(files);
    expect(find(root, ['src/a.test.ts', 'src/m.d.ts']).files.map(({ named }) => named)).toEqual([true, true]);
    expect(names(root, find(root, ['tests']))).toEqual(['tests/d.ts']);
  });

  it('lists a file once when it is named and lies in a named folder', () => {
    const root = tempTree(files);
    const found = find(root, ['src/a.test.ts', 'src', 'src/a.ts']);
    expect(names(root, found).filter((name) => name.startsWith('src/a.'))).toEqual(['src/a.test.ts', 'src/a.ts']);
    expect(reasons(root, found)).not.toHaveProperty('src/a.test.ts');
  });

  it('names a file that is no source, and refuses a path that does not exist', () => {
    const root = tempTree({ 'schema.sql': '' });
    expect(reasons(root, find(root, ['schema.sql']))).toEqual({ 'schema.sql': 'not a TypeScript or JavaScript file' });
    expect(() => find(root, ['srx'])).toThrow(UserMistake);
    expect(() => find(root, ['srx'])).toThrow('There is no file or folder `srx`.');
  });
});
