import parseDiff from 'parse-diff';
import { posix } from 'node:path';
import type { RawChange } from './raw-diff.js';

/** Lines of a file, counted from 1, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
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
  /** All of it, in order: `oldLines` lines of base from `oldStart` on became `newLines` lines of head from `newStart` on. */
  readonly hunks: readonly Hunk[];
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
 * @param raw What `git diff --raw` says, read.
 * @param patch What `git diff -U0` says of the same two trees: the same files in the same order. Its own spelling of names is not used.
 * @param prefix The working directory seen from the top of the work tree: empty, or `a/b/`.
 */
export function changedLines(raw: readonly RawChange[], patch: string, prefix: string): ChangedLines {
  const patches = parseDiff(patch);
  const local = (path: string): string => (path.startsWith(prefix) ? path.slice(prefix.length) : posix.relative(prefix, path));
  const files = raw.map(({ path, basePath, status }, at): ChangedFile => ({
    path: local(path),
    basePath: basePath === undefined ? undefined : local(basePath),
    status,
    ...hunksOf(patches[at]),
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

function hunksOf(file: parseDiff.File | undefined): Pick<ChangedFile, 'hunks' | 'added' | 'gaps' | 'shown'> {
  // Git names the line before an empty side: what follows it is meant.
  const hunks = (file?.chunks ?? []).map(({ oldStart, oldLines, newStart, newLines }): Hunk => ({
    oldStart: oldLines === 0 ? oldStart + 1 : oldStart, oldLines, newStart: newLines === 0 ? newStart + 1 : newStart, newLines,
  }));
  const added = hunks.filter(({ newLines }) => newLines > 0).map(({ newStart, newLines }) => ({ first: newStart, last: newStart + newLines - 1 }));
  const gaps = hunks.filter(({ newLines }) => newLines === 0).map(({ newStart }) => newStart);
  const around = hunks.map(({ newStart, newLines }) => ({ first: Math.max(1, newStart - SHOWN_AROUND), last: newStart + newLines - 1 + SHOWN_AROUND }));
  return { hunks, added, gaps, shown: merged(around) };
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
