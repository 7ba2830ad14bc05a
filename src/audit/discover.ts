import { lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { absolutePath, foldersUpTo, isWithin, relativePath } from './file-path.js';
import { LEFT_OUT_REASONS, isOutputFolder, isSourcePath, kindOfPath, type LeftOutKind } from './file-kind.js';
import type { OtherVersion } from './file-tree.js';
import { CONFIG_FILE } from './folder-listing.js';
import { gitListing, ignoredByGit, workTree } from './git.js';
import { UserMistake } from './user-mistake.js';
import { walk } from './walk.js';

/** Kinds that are judged although they are left out by default. */
export type Included = Readonly<Record<LeftOutKind, boolean>>;

export interface DiscoveryOptions {
  /** The working directory, absolute, with `/`. */
  readonly root: string;
  /** Files or folders, as the user wrote them. */
  readonly paths: readonly string[];
  readonly include: Included;
  /** Another version of the tree: files that come, change or are not there. */
  readonly otherVersion?: OtherVersion;
}

/** A source file to read. */
export interface FoundFile {
  readonly path: string;
  /** Named by the user: judged whatever its kind. */
  readonly named: boolean;
}

export interface SkippedPath {
  readonly path: string;
  readonly reason: string;
}

export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  readonly skipped: readonly SkippedPath[];
  /** Every `package.json`, `tsconfig*.json` and `jsconfig.json` of the tree: what import specifiers are resolved with. */
  readonly configFiles: readonly string[];
  /** The root seen from the top of its git work tree: empty, or `a/b/`. */
  readonly pathPrefix: string;
  /** How the files were found: what has to be the same for the next run to find the same. */
  readonly foundBy: FoundBy;
}

/** Folders, absolute. */
export interface FoundBy {
  /** The tops of work trees whose files git listed. */
  readonly workTrees: readonly string[];
  /** Folders that were listed without git, one by one. */
  readonly listed: readonly string[];
}

const NODE_MODULES = /(?:^|\/)node_modules(?:\/|$)/;
const CONFIG_PATTERNS = ['package.json', 'tsconfig*.json', 'jsconfig.json'].map((name) => `:(glob)**/${name}`);

/**
 * Finds the source files of the given paths: through git where there is a work tree, else by a walk that honours `.gitignore`.
 * @throws {UserMistake} for a path that does not exist.
 */
export function discover(options: DiscoveryOptions): Discovery {
  const home = workTree(options.root);
  const trees = new Map(home === undefined ? [] : [[home.top, home]]);
  const files = new Map<string, FoundFile>();
  const skipped = new Map<string, string>();
  const configFiles = new Set<string>();
  const other = [...options.otherVersion ?? []];
  const listed = new Set<string>();

  for (const argument of options.paths) {
    const path = absolutePath(options.root, argument);
    const isFolder = statOf(path, argument).isDirectory();
    const folder = isFolder ? path : posix.dirname(path);
    const tree = [...trees.values()].find(({ top }) => isWithin(top, path)) ?? workTree(folder);
    if (tree !== undefined) trees.set(tree.top, tree);
    for (const above of foldersUpTo(tree?.top ?? options.root, folder)) {
      configFilesIn(above).forEach((file) => configFiles.add(file));
      listed.add(above);
    }
    if (isFolder) addFolder(path);
    else addNamed(path);
  }
  for (const { top } of trees.values()) configFilesOf(top).forEach((file) => configFiles.add(file));
  for (const [path, bytes] of other) {
    if (bytes !== undefined && CONFIG_FILE.test(path)) configFiles.add(path);
    if (bytes === undefined) [files, skipped, configFiles].forEach((list) => list.delete(path));
  }
  return {
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    skipped: [...skipped].map(([path, reason]) => ({ path, reason })).filter(({ path }) => !files.has(path)),
    configFiles: [...configFiles].sort(),
    pathPrefix: home?.prefix ?? '',
    foundBy: { workTrees: [...trees.keys()], listed: [...listed] },
  };

  function addNamed(path: string): void {
    if (isSourcePath(path)) files.set(path, { path, named: true });
    else skipped.set(path, 'not a TypeScript or JavaScript file');
  }

  function addFolder(folder: string): void {
    const listing = listFolder(folder, options.root);
    listing.skipped.forEach(({ path, reason }) => skipped.set(path, reason));
    listing.listed.forEach((path) => listed.add(path));
    const come = other.flatMap(([path, bytes]) => (bytes !== undefined && isWithin(folder, path) && !NODE_MODULES.test(path) ? path : []));
    for (const path of new Set([...listing.files, ...come])) {
      if (CONFIG_FILE.test(path)) configFiles.add(path);
      if (!isSourcePath(path) || files.has(path)) continue;
      // Seen from the folder that was asked for: whoever names `test/` wants it judged.
      const kind = kindOfPath(relativePath(folder, path));
      if (kind !== undefined && !options.include[kind]) skipped.set(path, LEFT_OUT_REASONS[kind]);
      else if (isLink(path)) skipped.set(path, LINK_REASON);
      else files.set(path, { path, named: false });
    }
  }
}

interface FolderListing {
  readonly files: readonly string[];
  readonly skipped: readonly SkippedPath[];
  /** Folders that were listed without git. */
  readonly listed: readonly string[];
}

function listFolder(folder: string, root: string): FolderListing {
  const listing = gitListing(folder);
  const empty = listing !== undefined && listing.tracked.length + listing.untracked.length === 0;
  if (listing === undefined || (empty && ignoredByGit(folder))) return walkFolder(folder, root);

  const files = new Set<string>();
  const skipped: SkippedPath[] = [];
  const outputFolders = new Set<string>();
  const listed: string[] = [];
  for (const name of listing.tracked) add(name);
  for (const name of listing.untracked) {
    const output = outputFolderOf(name);
    if (output === undefined) add(name);
    else outputFolders.add(posix.join(folder, output));
  }
  for (const path of outputFolders) skipped.push({ path, reason: OUTPUT_REASON });
  return { files: [...files], skipped, listed };

  function add(name: string): void {
    if (NODE_MODULES.test(name)) return;
    const path = posix.join(folder, name);
    // A folder in the listing is a submodule or a repository of its own: git lists its files there.
    if (!isSourcePath(name) && isRealFolder(path)) {
      const inner = listFolder(path, root);
      inner.files.forEach((file) => files.add(file));
      skipped.push(...inner.skipped);
      listed.push(...inner.listed);
    } else {
      files.add(path);
    }
  }
}

/** Judged twice, one fault would be two findings. */
const LINK_REASON = 'symbolic link (judged where it points, or when it is named)';
const OUTPUT_REASON = 'build output folder (judged when it is named)';

function walkFolder(folder: string, root: string): FolderListing {
  const walked = walk(folder, root);
  return {
    files: walked.files,
    listed: walked.listed,
    skipped: [
      ...walked.outputFolders.map((path) => ({ path, reason: OUTPUT_REASON })),
      ...walked.unreadable.map((path) => ({ path, reason: 'folder cannot be listed' })),
    ],
  };
}

/** The topmost output folder on the way to a file, `undefined` for a file in none. */
function outputFolderOf(name: string): string | undefined {
  const folders = name.split('/').slice(0, -1);
  const at = folders.findIndex(isOutputFolder);
  return at === -1 ? undefined : folders.slice(0, at + 1).join('/');
}

function isRealFolder(path: string): boolean {
  return entryOf(path)?.isDirectory() ?? false;
}

function isLink(path: string): boolean {
  return entryOf(path)?.isSymbolicLink() ?? false;
}

/** What lies at a path, links not followed; `undefined` for a path that git lists and the work tree lacks. */
function entryOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function statOf(path: string, argument: string): Stats {
  try {
    return statSync(path);
  } catch {
    throw new UserMistake(`There is no file or folder \`${argument}\`.`, 'Give the path of a file or folder that exists, or none to audit the working directory.');
  }
}

/** Files of the whole work tree, also when only a part of it is judged: its imports lead anywhere. */
function configFilesOf(top: string): string[] {
  const listing = gitListing(top, CONFIG_PATTERNS);
  return [...(listing?.tracked ?? []), ...(listing?.untracked ?? [])].map((name) => posix.join(top, name));
}

function configFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => CONFIG_FILE.test(name)).map((name) => posix.join(folder, name));
  } catch {
    return [];
  }
}
