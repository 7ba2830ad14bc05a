import { describe, expect, it } from 'vitest';
import { baseLines } from '../../src/change/base-lines.js';
import { changedLines } from '../../src/change/diff.js';
import { rawChanges } from '../../src/change/raw-diff.js';

const MODIFIED = ':100644 100644 1a 2b M\0src/a.ts\0';
const PATCH = (path: string, hunks: string): string => `diff --git a/${path} b/${path}\nindex 1a..2b 100644\n--- a/${path}\n+++ b/${path}\n${hunks}`;

describe('changed lines', () => {
  it('are the added ones of head; a gap is where the next line stands', () => {
    const patch = PATCH('src/a.ts', '@@ -3 +3,2 @@\n-old\n+new\n+newer\n@@ -10,2 +10,0 @@\n-gone\n-gone too\n@@ -20,0 +19 @@\n+came\n');
    const lines = changedLines(rawChanges(MODIFIED), patch, '');
    expect(lines.file('src/a.ts')).toEqual([{ first: 3, last: 4 }, { first: 19, last: 19 }]);
    expect(lines.files[0]).toMatchObject({ status: 'modified', gaps: [11], shown: [{ first: 1, last: 13 }, { first: 16, last: 22 }] });
    expect(lines.file('src/b.ts')).toEqual([]);

    const moved = baseLines(lines);
    expect([1, 2, 3, 4, 9, 10, 11, 12, 20, 21].map((line) => moved.line('src/a.ts', line))).toEqual([1, 2, undefined, 5, 10, undefined, undefined, 11, 19, 21]);
    expect(moved.line('src/other.ts', 7)).toBe(7);
  });

  it('are not fooled by lines that look like a header', () => {
    const patch = PATCH('src/a.ts', '@@ -1,2 +1,2 @@\n--- a/x\n-diff --git a/y b/y\n+++ b/x\n+@@ -1 +1 @@\n') + PATCH('src/b.ts', '@@ -5 +5 @@\n-x\n+y\n');
    const lines = changedLines(rawChanges(`${MODIFIED}:100644 100644 1a 2b M\0src/b.ts\0`), patch, '');
    expect(lines.file('src/a.ts')).toEqual([{ first: 1, last: 2 }]);
    expect(lines.file('src/b.ts')).toEqual([{ first: 5, last: 5 }]);
  });

  it('bear the names of git, seen from the working directory', () => {
    const raw = rawChanges(':100644 100644 1a 2b R090\0old "name".ts\0pkg/größe\tx.ts\0:100644 000000 1a 00 D\0pkg/gone.ts\0:000000 120000 00 2b A\0pkg/link.ts\0:160000 160000 1a 2b M\0sub\0');
    expect(raw.map(({ baseBlob }) => baseBlob)).toEqual(['1a', '1a', undefined, undefined]);
    const lines = changedLines(raw, '', 'pkg/');
    expect(lines.files.map(({ path, basePath, status }) => [path, basePath, status])).toEqual([
      ['../sub', '../sub', 'modified'], ['gone.ts', 'gone.ts', 'deleted'], ['größe\tx.ts', '../old "name".ts', 'renamed'], ['link.ts', undefined, 'added'],
    ]);
    const moved = baseLines(lines);
    expect([moved.path('../old "name".ts'), moved.path('gone.ts'), moved.path('other.ts')]).toEqual(['größe\tx.ts', undefined, 'other.ts']);
  });

  it('name a file in conflict once', () => {
    expect(rawChanges(':000000 000000 00 00 U\0src/a.ts\0:100644 100644 1a 00 M\0src/a.ts\0').map(({ status }) => status)).toEqual(['modified']);
  });
});
