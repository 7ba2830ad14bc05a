import { expect, it } from 'vitest';
import { fileUri, repositoryPath } from '../../src/report/file-uri.js';
import { byteColumn, positionAt, textLines } from '../../src/report/source-text.js';

it.each([['src/a.ts', '', 'src/a.ts'], ['../lib/a.ts', 'packages/jobs/', 'packages/lib/a.ts'], ['../../../a.ts', 'b/', '../../a.ts'], ['./a.ts', '', 'a.ts']])('%s below %j is %s', (file, prefix, path) => {
  expect(repositoryPath(file, prefix)).toBe(path);
});

it('encodes every segment', () => {
  expect(fileUri('a b/ä%/c#d?e:f[g].ts')).toBe('a%20b/%C3%A4%25/c%23d%3Fe%3Af%5Bg%5D.ts');
});

it('finds the place of an offset, whatever ends the lines', () => {
  const text = 'ab\r\ncd\nef\u2028gh';
  expect(['a', 'c', 'e', 'g'].map((letter) => positionAt(text, text.indexOf(letter)))).toEqual([{ line: 1, column: 1 }, { line: 2, column: 1 }, { line: 3, column: 1 }, { line: 4, column: 1 }]);
  expect(positionAt(text, 999)).toEqual({ line: 4, column: 3 });
  expect(textLines(text)).toEqual(['ab', 'cd', 'ef', 'gh']);
});

it('counts bytes of UTF-8', () => {
  expect(byteColumn(['aä𐐀b'], { line: 1, column: 5 })).toBe(8);
  expect(byteColumn(['a'], { line: 2, column: 1 })).toBeUndefined();
});
