import { readFileSync, readdirSync, type Dirent } from 'node:fs';
import { posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { foldersUpTo } from './file-path.js';
import { isOutputFolder, kindOfPath } from './file-kind.js';

/** What a walk saw: files and output folders it did not enter, absolute and sorted. */
export interface Walked {
  readonly files: readonly string[];
  readonly outputFolders: readonly string[];
  /** Folders that could not be listed. */
  readonly unreadable: readonly string[];
  /** Every folder whose entries had a say, also those above whose `.gitignore` was read. */
  readonly listed: readonly string[];
}

interface IgnoreFile {
  readonly folder: string;
  readonly rules: Ignore;
}

/**
 * Lists a folder outside of git, honouring `.gitignore` files from `top` downwards (from the folder itself when it is not below `top`). Symbolic links to folders are not followed: they can
 * lead in a circle, and what they show is listed at its own place.
 */
export function walk(folder: string, top: string): Walked {
  const files: string[] = [];
  const outputFolders: string[] = [];
  const unreadable: string[] = [];
  const listed = foldersUpTo(top, folder).slice(1).reverse();
  const above = listed.flatMap(ignoreFileOf);
  // Whoever names an ignored folder wants it listed: what ignores the folder itself has no say below it.
  enter(folder, isIgnored(folder, true, above) ? [] : above);
  return { files: files.sort(), outputFolders: outputFolders.sort(), unreadable: unreadable.sort(), listed };

  function enter(current: string, inherited: readonly IgnoreFile[]): void {
    const entries = list(current);
    listed.push(current);
    if (entries === undefined) {
      unreadable.push(current);
      return;
    }
    const ignores = [...inherited, ...ignoreFileOf(current)];
    for (const entry of entries) {
      const path = posix.join(current, entry.name);
      if (entry.name === 'node_modules' || entry.name === '.git') continue;
      if (isIgnored(path, entry.isDirectory(), ignores)) continue;
      if (entry.isFile() || entry.isSymbolicLink()) files.push(path);
      if (!entry.isDirectory()) continue;
      if (isOutputFolder(entry.name) && !holdsSources(path, listed)) outputFolders.push(path);
      else enter(path, ignores);
    }
  }
}

/** The deepest file that has an opinion decides, as in git. */
function isIgnored(path: string, isFolder: boolean, ignores: readonly IgnoreFile[]): boolean {
  for (let i = ignores.length - 1; i >= 0; i--) {
    const file = ignores[i];
    if (file === undefined) continue;
    const seen = file.rules.test(posix.relative(file.folder, path) + (isFolder ? '/' : ''));
    if (seen.ignored) return true;
    if (seen.unignored) return false;
  }
  return false;
}

/** Compilers write JavaScript and declarations: a folder named `build` with TypeScript in it is part of the sources. */
function holdsSources(folder: string, listed: string[]): boolean {
  listed.push(folder);
  return (list(folder) ?? []).some((entry) => {
    if (entry.isDirectory()) return entry.name !== 'node_modules' && holdsSources(posix.join(folder, entry.name), listed);
    return /\.[cm]?tsx?$/.test(entry.name) && kindOfPath(entry.name) !== 'declaration';
  });
}

function ignoreFileOf(folder: string): IgnoreFile[] {
  try {
    return [{ folder, rules: ignore().add(readFileSync(posix.join(folder, '.gitignore'), 'utf8')) }];
  } catch {
    // Most folders have none; one that cannot be read ignores nothing.
    return [];
  }
}

function list(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
