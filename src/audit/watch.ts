import { homedir } from 'node:os';
import { posix } from 'node:path';
import process from 'node:process';
import type { FoundBy } from './discover.js';
import { absolutePath, foldersAbove } from './file-path.js';
import type { FileTree } from './file-tree.js';
import { entriesOf, listingDigest } from './folder-listing.js';
import { ignoredFolders, listingFiles } from './git.js';
import { isFileOnDisk } from './probe.js';
import { readSource } from './read-source.js';
import { statMark, type StatMark } from './stat-mark.js';
import { bytesDigest, fileDigest, placeKind, type Watched } from './watched.js';

/** Notes what an audit reads from the disk. */
export interface Watch {
  /** The files of the disk, and what is asked of them noted. */
  readonly tree: FileTree;
  /** Takes over what an earlier run noted of these files, which are the same, and the places it asked for; of the folders too, where they list the same. */
  takeOver(earlier: Watched, same: ReadonlySet<string>, isListingSame: boolean): void;
  /**
   * What these files held when they were read, in short, where nothing was looked at besides that the earlier run did not know of; undefined where there was more, or
   * one of them was not read.
   */
  digestsOf(paths: Iterable<string>): ReadonlyMap<string, string> | undefined;
  /**
   * What was noted; undefined where the tree changed while it was read, so that nothing can be said of it.
   * @param root The working directory, absolute, with `/`.
   */
  watched(root: string, foundBy: FoundBy): Watched | undefined;
}

interface Noted {
  readonly mark: StatMark;
  readonly digest: string;
}

/** Clocks of file systems lag behind by a tick, in milliseconds: a folder that changed so shortly before counts as changed meanwhile. */
const TICK = 20;

/** A watch that begins now. */
export function createWatch(): Watch {
  const since = Date.now();
  const files = new Map<string, Noted>();
  const asked = new Map<string, boolean>();
  let foldersBefore: ReadonlyMap<string, Noted> | undefined;
  let before: { readonly files: ReadonlySet<string>; readonly places: ReadonlySet<string> } | undefined;

  return {
    tree: {
      read(path) {
        const mark = statMark(path);
        const source = readSource(path);
        if (!files.has(path)) files.set(path, { mark, digest: fileDigest(source) });
        return source;
      },
      isFile(path) {
        const isFile = isFileOnDisk(path);
        asked.set(path, isFile);
        return isFile;
      },
    },
    takeOver(earlier, same, isListingSame) {
      earlier.files.forEach((path, at) => {
        if (same.has(path)) files.set(path, { mark: markAt(earlier.fileMarks, at), digest: earlier.digests[at] ?? '' });
      });
      // A folder that changes while the run goes on has another mark than this, and the next run will see it.
      if (isListingSame) foldersBefore = new Map(earlier.folders.map((path, at) => [path, { mark: markAt(earlier.folderMarks, at), digest: earlier.listings[at] ?? '' }]));
      for (const [path, kind] of earlier.places) if (posix.basename(path) !== '.git') asked.set(path, kind === 'file');
      before = { files: new Set(earlier.files), places: new Set(asked.keys()) };
    },
    digestsOf(paths) {
      if (before === undefined || foldersBefore === undefined) return undefined;
      const { files: known, places } = before;
      const folders = foldersBefore;
      for (const path of files.keys()) if (!known.has(path)) return undefined;
      for (const path of asked.keys()) if (!places.has(path) && !known.has(path) && !isToldBy(folders, path)) return undefined;
      const digests = new Map<string, string>();
      for (const path of paths) {
        const noted = files.get(path);
        if (noted === undefined) return undefined;
        digests.set(path, noted.digest);
      }
      return digests;
    },
    watched(root, foundBy) {
      const folders = foldersBefore ?? foldersNow(foundBy);
      if ([...folders.values()].some(({ mark }) => mark[2] > since - TICK)) return undefined;
      const elsewhere = [...asked].filter(([path]) => !files.has(path) && !folders.has(posix.dirname(path)));
      if (elsewhere.some(([path, isFile]) => isFileOnDisk(path) !== isFile)) return undefined;
      const places = new Set(elsewhere.flatMap(([path]) => placeToWatch(path, folders)));
      for (const folder of [root, ...foldersAbove(root)]) places.add(posix.join(folder, '.git'));
      return {
        since,
        ...listsOf(files, folders),
        places: [...places].map((path) => [path, placeKind(path)]),
      };
    },
  };
}

/** Where nothing lies, the topmost folder on the way that is not there says so for all below it; in a folder that was listed, the listing says so. */
function placeToWatch(path: string, folders: ReadonlyMap<string, unknown>): string[] {
  let missing = path;
  for (const folder of foldersAbove(path)) {
    if (placeKind(missing) !== 'none') return [missing];
    if (folders.has(folder)) return [];
    if (placeKind(folder) !== 'none') return [missing];
    missing = folder;
  }
  return [missing];
}

/** Whether the listing of a folder tells what lies at a path. */
function isToldBy(folders: ReadonlyMap<string, unknown>, path: string): boolean {
  return folders.has(posix.dirname(path)) || placeToWatch(path, folders).length === 0;
}

function markAt(marks: Float64Array, at: number): StatMark {
  const [size = 0, modified = 0, changed = 0, inode = 0] = marks.subarray(at * 4, at * 4 + 4);
  return [size, modified, changed, inode];
}

function foldersNow(foundBy: FoundBy): ReadonlyMap<string, Noted> {
  const found = watchedFolders(foundBy);
  return new Map<string, Noted>([...found, ...listers(found, foundBy)]);
}

/** In a work tree all folders that git does not ignore as a whole: a file may turn up in any of them. */
function watchedFolders({ workTrees, listed }: FoundBy): Map<string, Noted & { readonly hasIgnores: boolean }> {
  const folders = new Map<string, Noted & { readonly hasIgnores: boolean }>();
  for (const top of workTrees) {
    const ignored = new Set(ignoredFolders(top).map((name) => posix.join(top, name)));
    below(top, ignored);
  }
  for (const folder of listed) look(folder);
  return folders;

  function below(folder: string, ignored: ReadonlySet<string>): void {
    for (const entry of look(folder)) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git' && !ignored.has(path)) below(path, ignored);
    }
  }

  function look(folder: string): NonNullable<ReturnType<typeof entriesOf>> {
    if (folders.has(folder)) return [];
    const mark = statMark(folder);
    const entries = entriesOf(folder);
    folders.set(folder, { mark, digest: listingDigest(entries), hasIgnores: entries?.some(({ name }) => name === '.gitignore') ?? false });
    return entries ?? [];
  }
}

/** The files that say what is listed. */
function listers(folders: ReadonlyMap<string, { readonly hasIgnores: boolean }>, { workTrees }: FoundBy): [string, Noted][] {
  const environment = { home: absolutePath(homedir(), '.'), xdg: process.env['XDG_CONFIG_HOME'] };
  const ignores = [...folders].flatMap(([folder, { hasIgnores }]) => (hasIgnores ? posix.join(folder, '.gitignore') : []));
  return [...ignores, ...workTrees.flatMap((top) => listingFiles(top, environment))].map((path) => [path, { mark: statMark(path), digest: bytesDigest(path) }]);
}

function listsOf(files: ReadonlyMap<string, Noted>, folders: ReadonlyMap<string, Noted>): Omit<Watched, 'since' | 'places'> {
  const marks = (noted: ReadonlyMap<string, Noted>): Float64Array => Float64Array.from([...noted.values()].flatMap(({ mark }) => mark));
  const digests = (noted: ReadonlyMap<string, Noted>): string[] => [...noted.values()].map(({ digest }) => digest);
  return {
    files: [...files.keys()], fileMarks: marks(files), digests: digests(files),
    folders: [...folders.keys()], folderMarks: marks(folders), listings: digests(folders),
  };
}
