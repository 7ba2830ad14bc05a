import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { codeOwners, readCodeOwners } from '../../src/audit/code-owners.js';

describe('codeOwners', () => {
  it('takes the last line that matches, whatever stands before it', () => {
    const ownerOf = codeOwners('* @everyone\n/src/ @org/core\n/src/locks/*.ts @locks person@example.org\n');
    expect(ownerOf('README.md')).toBe('@everyone');
    expect(ownerOf('src/a.ts')).toBe('@org/core');
    expect(ownerOf('src/locks/a.ts')).toBe('@locks person@example.org');
    expect(ownerOf('src/locks/a.md')).toBe('@org/core');
    expect(codeOwners('/src/a.ts @one\n* @everyone\n')('src/a.ts')).toBe('@everyone');
  });

  it.each([
    ['a folder with a slash at both ends is that of the top', '/docs/ @o', { 'docs/a.md': '@o', 'docs/b/c.md': '@o', 'x/docs/a.md': undefined }],
    ['a folder with a slash at its end is any of that name', 'docs/ @o', { 'docs/a.md': '@o', 'x/docs/y/a.md': '@o', 'docs': undefined }],
    ['a path with a slash within begins at the top', 'src/docs @o', { 'src/docs/a.md': '@o', 'x/src/docs/a.md': undefined }],
    ['a star names the files of the folder, not those of folders in it', 'docs/* @o', { 'docs/a.md': '@o', 'docs/build/a.md': undefined, 'x/docs/a.md': undefined }],
    ['a star alone below the top names the files there', '/* @o', { 'a.md': '@o', 'docs/a.md': undefined }],
    ['two stars go through all folders', '**/logs @o', { 'logs/a': '@o', 'x/y/logs/a': '@o' }],
    ['two stars at the end', '/src/** @o', { 'src/a/b/c.ts': '@o', 'test/a.ts': undefined }],
    ['an ending is found in every folder', '*.ts @o', { 'a.ts': '@o', 'x/y/a.ts': '@o', 'a.tsx': undefined }],
    ['case counts', '/Src/ @o', { 'Src/a.ts': '@o', 'src/a.ts': undefined }],
    ['a space is written with a backslash', '/my\\ lib/ @o', { 'my lib/a.ts': '@o', 'my/a.ts': undefined, 'lib/a.ts': undefined }],
    ['other alphabets', '/src/\u00e4\u00f6/\u65e5\u672c.ts @o', { 'src/\u00e4\u00f6/\u65e5\u672c.ts': '@o' }],
  ] as const)('%s', (_what, line, wanted) => {
    const ownerOf = codeOwners(line);
    expect(Object.fromEntries(Object.keys(wanted).map((path) => [path, ownerOf(path)]))).toEqual(wanted);
  });

  it('takes the owner away where a line names none', () => {
    const ownerOf = codeOwners('/src/ @core\n/src/generated/\n');
    expect([ownerOf('src/a.ts'), ownerOf('src/generated/a.ts')]).toEqual(['@core', undefined]);
  });

  it.each([
    ['a comment', '# /src/ @o'],
    ['an indented comment', '  # /src/ @o'],
    ['a negation, which is none there', '!/src/ @o'],
    ['a range of characters', '/[s]rc/ @o'],
    ['an owner that is none', '/src/ @o nobody'],
    ['an empty line', '   '],
  ])('skips %s', (_what, line) => {
    expect(codeOwners(`/src/ @before\n${line}\n`)('src/a.ts')).toBe('@before');
  });

  it('reads comments behind the owners, Windows line ends, and many spaces', () => {
    expect(codeOwners('/src/ \t @a   @b # the core\r\n')('src/a.ts')).toBe('@a @b');
  });

  it('names nobody for what is no path within the work tree', () => {
    const ownerOf = codeOwners('* @o');
    expect([ownerOf('../a.ts'), ownerOf('/a.ts'), ownerOf('')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('readCodeOwners', () => {
  it('takes the first of .github, the top and docs, and none of the others', () => {
    const top = mkdtempSync(join(tmpdir(), 'step-lock-owners-'));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const owned = (file: string, text: string): string | undefined => {
      mkdirSync(dirname(join(top, file)), { recursive: true });
      writeFileSync(join(top, file), text);
      return readCodeOwners(top)('a.ts');
    };
    expect(readCodeOwners(top)('a.ts')).toBeUndefined();
    expect(owned('docs/CODEOWNERS', '* @docs')).toBe('@docs');
    expect(owned('CODEOWNERS', '* @top')).toBe('@top');
    expect(owned('.github/CODEOWNERS', '/src/ @github')).toBeUndefined();
  });

  it('names nobody when the file is a folder', () => {
    const top = mkdtempSync(join(tmpdir(), 'step-lock-owners-'));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    mkdirSync(join(top, 'CODEOWNERS'));
    expect(readCodeOwners(top)('a.ts')).toBeUndefined();
  });
});
