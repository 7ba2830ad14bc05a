import { readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Where the file is looked for, in GitHub's order: the first one counts, the others are not read. */
export const CODE_OWNERS_FILES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const;

/** Larger files GitHub does not load. In bytes. */
const LARGEST_FILE = 3 * 1024 * 1024;

/** Who answers for a file, given by its path from the top of the work tree, with `/`: `@team @person`; `undefined` where nobody is named. */
export type OwnerOf = (path: string) => string | undefined;

/** Reads CODEOWNERS of a work tree (absolute path). Without one, or one that cannot be read, nobody is named for any file. */
export function readCodeOwners(top: string): OwnerOf {
  for (const file of CODE_OWNERS_FILES) {
    const text = textOf(`${top}/${file}`);
    if (text !== undefined) return codeOwners(text);
  }
  return () => undefined;
}

/**
 * Who answers for the files of an audit, given by their paths from its root.
 * @param root The working directory, absolute, with `/`.
 * @param pathPrefix The root seen from the top of its work tree: empty, or `a/b/`.
 */
export function ownersFrom({ root, pathPrefix }: { readonly root: string; readonly pathPrefix: string }): OwnerOf {
  const ownerOf = readCodeOwners(root.slice(0, root.length - pathPrefix.length).replace(/\/$/, ''));
  return (file) => ownerOf(posix.normalize(pathPrefix + file));
}

interface OwnedPattern {
  /** Empty where the line takes the owner away. */
  readonly owners: string;
  matches(path: string): boolean;
}

/** The owners that the text of a CODEOWNERS file names. The last line that matches counts, as on GitHub. */
export function codeOwners(text: string): OwnerOf {
  const patterns = text.split(/\r\n|\n|\r/).flatMap(ownedPattern).reverse();
  return (path) => {
    if (!ignore.isPathValid(path)) return undefined;
    const owners = patterns.find((pattern) => pattern.matches(path))?.owners;
    return owners === '' ? undefined : owners;
  };
}

/** A line as GitHub reads it; nothing for comments and for lines that GitHub skips because they are wrong. */
function ownedPattern(line: string): OwnedPattern[] {
  // A space of a name is written `\ `; what follows the first other space are owners.
  const parts = /^\s*((?:\\.|[^\s\\])+)((?:\s.*)?)$/.exec(line);
  if (parts === null) return [];
  const [, pattern = '', rest = ''] = parts;
  // Three things of .gitignore do not work there: negation, character ranges, and a number sign made plain by a backslash.
  if (/^[#!]|^\\#|(?<!\\)\[/.test(pattern)) return [];
  const owners = rest.replace(/(?:^|\s)#.*$/, '').split(/\s+/).filter((owner) => owner !== '');
  if (!owners.every(isOwner)) return [];
  const files = matcher(pattern);
  return files === undefined ? [] : [{ owners: owners.join(' '), matches: (path) => matchesFile(files, pattern, path) }];
}

function isOwner(word: string): boolean {
  return /^@[\w.-]+(?:\/[\w.-]+)*$|^[^\s@]+@[^\s@]+$/.test(word);
}

/** The patterns are those of .gitignore, but case counts. `undefined` for one that cannot be read. */
function matcher(pattern: string): Ignore | undefined {
  try {
    return ignore({ ignorecase: false }).add(pattern);
  } catch {
    return undefined;
  }
}

/** `docs/*` means the files of the folder and not those of the folders in it, where .gitignore means both. */
function matchesFile(files: Ignore, pattern: string, path: string): boolean {
  if (!files.ignores(path)) return false;
  if (!pattern.endsWith('/*')) return true;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return folder === '' || !files.ignores(folder);
}

function textOf(path: string): string | undefined {
  try {
    if (statSync(path).size > LARGEST_FILE) return undefined;
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}
