import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edited, editor, spread } from '../../../scripts/bench/edits.mjs';
import { copyCheckout, copyManyTimes, sourceFiles } from '../../../scripts/bench/scratch-tree.mjs';

let home = '';
const checkout = (): string => join(home, 'checkout');
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'step-lock-bench-trees-')));
  const files = {
    'package.json': '{"name":"a"}', '.gitignore': 'node_modules/\ndist/\n', 'src/a.ts': 'a\n', 'src/b.test.ts': 'b\n', 'src/c.d.ts': 'c\n', 'dist/a.ts': 'built\n',
    'node_modules/dep/index.ts': 'dep\n', 'nested/node_modules/inner/index.ts': 'inner\n', 'nested/d.tsx': 'd\n', '.git/config': 'not a repository\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout(), path)), { recursive: true });
    writeFileSync(join(checkout(), path), text);
  }
});
afterAll(() => { rmSync(home, { recursive: true, force: true }); });

const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });

test('A copy has the sources and a commit of its own, and its dependencies are links', () => {
  const copy = copyCheckout(checkout(), join(home, 'trees/still'));

  expect(readFileSync(join(copy, 'src/a.ts'), 'utf8')).toBe('a\n');
  expect(lstatSync(join(copy, 'nested/node_modules')).isSymbolicLink()).toBe(true);
  expect(realpathSync(join(copy, 'node_modules/dep'))).toBe(join(checkout(), 'node_modules/dep'));
  expect(git(copy, 'ls-files').split('\n')).toEqual(['.gitignore', 'nested/d.tsx', 'package.json', 'src/a.ts', 'src/b.test.ts', 'src/c.d.ts', '']);
  expect(git(copy, 'status', '--porcelain')).toBe('');
});

test('A tree of many copies has each under its own name, without dependencies', () => {
  const tree = copyManyTimes(checkout(), join(home, 'many'), 2);

  expect(JSON.parse(readFileSync(join(tree, 'copy-2/package.json'), 'utf8'))).toEqual({ name: 'a-copy-2' });
  expect(existsSync(join(tree, 'copy-1/node_modules'))).toBe(false);
  expect(sourceFiles(tree, '.')).toEqual(['copy-1/nested/d.tsx', 'copy-1/src/a.ts', 'copy-2/nested/d.tsx', 'copy-2/src/a.ts']);
});

test('An edit of a later round takes the place of the earlier one', () => {
  const tree = copyCheckout(checkout(), join(home, 'trees/edited'));
  const edit = editor(tree, ['src/a.ts']);
  edit(1);
  edit(2);

  expect(readFileSync(join(tree, 'src/a.ts'), 'utf8')).toBe(edited('a\n', 2));
  expect(edited('a\n', 2)).not.toContain('benchStep1');
  expect(readFileSync(join(checkout(), 'src/a.ts'), 'utf8')).toBe('a\n');
});

test('What is edited is spread over the files', () => {
  expect(spread([1, 2, 3, 4, 5, 6, 7, 8], 3)).toEqual([3, 5, 7]);
  expect(spread([1, 2], 3)).toEqual([1, 2]);
});
