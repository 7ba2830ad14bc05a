import { readFileSync, statSync } from 'node:fs';
import { digestOf } from './digest.js';
import { entriesOf, listingDigest } from './folder-listing.js';
import { readSource, type SourceText } from './read-source.js';
import { NOTHING_THERE, SETTLED_AFTER, statMark, type StatMark } from './stat-mark.js';

/** Everything on the disk that the result of an audit rests on, as plain data to keep. Paths are absolute. */
export interface Watched {
  /** When the run began, milliseconds: what changed about then or later is compared by what it holds. */
  readonly since: number;
  /** Files that were read: four numbers each in `fileMarks`, and what they held. */
  readonly files: readonly string[];
  readonly fileMarks: Float64Array;
  readonly digests: readonly string[];
  /** Folders that were listed, and the files that say what is listed: what the folder holds, and `=` and the bytes of the file. */
  readonly folders: readonly string[];
  readonly folderMarks: Float64Array;
  readonly listings: readonly string[];
  /** Paths outside of those folders that were asked for, and what lay there. */
  readonly places: readonly (readonly [path: string, kind: PlaceKind])[];
}

export type PlaceKind = 'file' | 'folder' | 'none';

/** What differs from what was watched. */
export interface Moved {
  /** Files that hold something else, came or went, with the digest of what they hold now. */
  readonly files: ReadonlyMap<string, string>;
  /** Whether the set of files may be another. */
  readonly isListingMoved: boolean;
  /** Whether a path outside of the listed folders leads to something else. */
  readonly arePlacesMoved: boolean;
  /** The same with the marks of today: what has not moved is known to be the same now. */
  readonly now: Watched;
  /** How many entries had to be read to tell. */
  readonly read: number;
}

/** Compares what was watched with the disk: by marks, and where they differ or are too young by content. */
export function movedSince(watched: Watched, now: number): Moved {
  const moved = new Map<string, string>();
  const listings = new Set<string>();
  let read = 0;
  const fileMarks = Float64Array.from(watched.fileMarks);
  const folderMarks = Float64Array.from(watched.folderMarks);
  watched.files.forEach((path, at) => {
    const mark = statMark(path);
    if (isSettled(mark, watched.fileMarks, at, watched.since)) return;
    read++;
    keep(mark, fileMarks, at);
    const digest = fileDigest(mark === NOTHING_THERE ? 'gone' : readSource(path));
    if (digest !== watched.digests[at]) moved.set(path, digest);
  });
  watched.folders.forEach((path, at) => {
    const mark = statMark(path);
    if (isSettled(mark, watched.folderMarks, at, watched.since)) return;
    read++;
    keep(mark, folderMarks, at);
    const before = watched.listings[at] ?? '';
    if ((before.startsWith('=') ? bytesDigest(path) : listingDigest(entriesOf(path))) !== before) listings.add(path);
  });
  const arePlacesMoved = watched.places.some(([path, kind]) => placeKind(path) !== kind);
  return { files: moved, isListingMoved: listings.size > 0 || arePlacesMoved, arePlacesMoved, now: { ...watched, since: now, fileMarks, folderMarks }, read };
}

/** What lies at a path, links followed. */
export function placeKind(path: string): PlaceKind {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? 'none' : stat.isDirectory() ? 'folder' : 'file';
  } catch {
    return 'none';
  }
}

/** What a file holds, whatever its kind. */
export function bytesDigest(path: string): string {
  try {
    return `=${digestOf(readFileSync(path))}`;
  } catch {
    return '=';
  }
}

/** What a reading of a file gave, in short. */
export function fileDigest(source: SourceText): string {
  if (source === 'gone') return '';
  return 'reason' in source ? `- ${source.reason}` : digestOf(source.text);
}

function isSettled(mark: StatMark, marks: Float64Array, at: number, since: number): boolean {
  const from = at * 4;
  if (mark[0] !== marks[from] || mark[1] !== marks[from + 1] || mark[2] !== marks[from + 2] || mark[3] !== marks[from + 3]) return false;
  return mark === NOTHING_THERE || mark[2] < since - SETTLED_AFTER;
}

function keep(mark: StatMark, marks: Float64Array, at: number): void {
  mark.forEach((value, i) => { marks[at * 4 + i] = value; });
}
