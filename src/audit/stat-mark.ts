import { statSync } from 'node:fs';

/** What the file system says of an entry: size in bytes, times of change in milliseconds, number. Where any of it differs, the entry may hold something else. */
export type StatMark = readonly [size: number, modified: number, changed: number, inode: number];

/** The mark of a path that leads nowhere. */
export const NOTHING_THERE: StatMark = [-1, 0, 0, 0];

/**
 * How long before a run an entry must have rested, in milliseconds, for its mark alone to prove that it holds the same: a file that is written twice within one tick of
 * the clock keeps its mark. The coarsest file systems tick every two seconds.
 */
export const SETTLED_AFTER = 2_000;

/** The mark of a path, links followed. */
export function statMark(path: string): StatMark {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? NOTHING_THERE : [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino];
  } catch {
    return NOTHING_THERE;
  }
}
