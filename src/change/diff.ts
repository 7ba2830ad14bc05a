import parseDiff from 'parse-diff';
import { posix } from 'node:path';

/** Lines of a file, counted from 1, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** One file that a change touched. Paths are seen from the working directory, as in the review. */
export interface ChangedFile {
  /** The path in head; in base for a deleted file. */
  readonly path: string;
  /** The path in base; undefined for a file that is new. */
  readonly basePath: string | undefined;
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
  /** Lines of head that the change added or rewrote. */
  readonly added: readonly LineRange[];
  /** Where lines of base were taken away: the line of head that follows the gap. */
  readonly gaps: readonly number[];
  /** Lines of base that are gone or rewritten. */
  readonly removed: readonly LineRange[];
  /** Lines of head that a code host shows in the diff: the added ones with three lines around them. */
  readonly shown: readonly LineRange[];
}

/** The lines that a change touched, as plain data. */
export interface ChangedLines {
  /** Sorted by path. */
  readonly files: readonly ChangedFile[];
  /** The added lines of a file in head; empty for a file that the change did not touch. `path` as in the review. */
  file(path: string): readonly LineRange[];
}

/** Context that code hosts show around a change. */
const SHOWN_AROUND = 3;

/**
 * The changed lines of a diff.
 * @param names What `git diff --name-status -z -M` says: it alone carries names with spaces, quotes and tabs unharmed.
 * @param patch What `git diff -U0 -M` says of the same two trees: the same files in the same order.
 * @param prefix The working directory seen from the top of the work tree: empty, or `a/b/`.
 */
export function changedLines(names: string, patch: string, prefix: string): ChangedLines {
  const patches = parseDiff(patch);
  const local = (path: string): string => (path.startsWith(prefix) ? path.slice(prefix.length) : posix.relative(prefix, path));
  const files = namedFiles(names).map(({ path, basePath, status }, at): ChangedFile => ({
    path: local(path),
    basePath: basePath === undefined ? undefined : local(basePath),
    status,
    ...hunks(patches[at]),
  })).sort((a, b) => (a.path < b.path ? -1 : 1));
  return fromFiles(files);
}

/** Changed lines of files that are known already. */
export function fromFiles(files: readonly ChangedFile[]): ChangedLines {
  const byPath = new Map(files.filter(({ status }) => status !== 'deleted').map((file) => [file.path, file.added]));
  return { files, file: (path) => byPath.get(path) ?? [] };
}

/** Whether a line lies in one of the ranges. */
export function isWithinLines(ranges: readonly LineRange[], line: number): boolean {
  return ranges.some(({ first, last }) => first <= line && line <= last);
}

interface NamedFile {
  readonly path: string;
  readonly basePath: string | undefined;
  readonly status: ChangedFile['status'];
}

/** `M\0path\0`, `R100\0old\0new\0`. */
function namedFiles(names: string): NamedFile[] {
  const words = names.split('\0');
  const found: NamedFile[] = [];
  for (let at = 0; at + 1 < words.length;) {
    const letter = words[at]?.[0] ?? '';
    const first = words[at + 1] ?? '';
    if (letter === 'R' || letter === 'C') {
      found.push({ path: words[at + 2] ?? '', basePath: first, status: letter === 'R' ? 'renamed' : 'added' });
      at += 3;
      continue;
    }
    // A file in conflict is named twice; only its second entry has a patch.
    if (letter !== 'U') found.push({ path: first, basePath: letter === 'A' ? undefined : first, status: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified' });
    at += 2;
  }
  return found;
}

function hunks(file: parseDiff.File | undefined): Pick<ChangedFile, 'added' | 'removed' | 'gaps' | 'shown'> {
  const chunks = file?.chunks ?? [];
  const added = chunks.filter(({ newLines }) => newLines > 0).map(({ newStart, newLines }) => ({ first: newStart, last: newStart + newLines - 1 }));
  // Git names the line before the gap.
  const gaps = chunks.filter(({ newLines }) => newLines === 0).map(({ newStart }) => newStart + 1);
  const removed = chunks.filter(({ oldLines }) => oldLines > 0).map(({ oldStart, oldLines }) => ({ first: oldStart, last: oldStart + oldLines - 1 }));
  const around = [...added, ...gaps.map((line) => ({ first: line, last: line - 1 }))]
    .map(({ first, last }) => ({ first: Math.max(1, first - SHOWN_AROUND), last: last + SHOWN_AROUND }))
    .sort((a, b) => a.first - b.first);
  return { added, gaps, removed, shown: merged(around) };
}

function merged(ranges: readonly LineRange[]): LineRange[] {
  const found: LineRange[] = [];
  for (const range of ranges) {
    const last = found.at(-1);
    if (last !== undefined && range.first <= last.last + 1) found[found.length - 1] = { first: last.first, last: Math.max(last.last, range.last) };
    else found.push(range);
  }
  return found;
}
