import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { digestOf } from '../audit/digest.js';
import { pruneKept, readKept, writeKept } from '../audit/kept-file.js';
import type { KeptAsked, KeptEntry, KeptProgram } from './kept-entry.js';
import { nothingKept, packed, unpacked, type Kept } from './packed-findings.js';
import { united } from './united-findings.js';

/** The findings kept for the files linted in one working directory: read once, written when the process ends. */
export interface FindingsFile {
  get(path: string): KeptEntry | undefined;
  /** The entry of the path was of use. */
  touch(path: string): void;
  put(path: string, entry: KeptEntry): void;
  /** A program as it was when the entries of its files were found. */
  program(id: string): KeptProgram | undefined;
  /** @param isSame It is as it was: there is nothing new to keep. */
  putProgram(id: string, program: KeptProgram, isSame: boolean): void;
  /** Drops entries of a program. */
  dropEntries(id: string, isLost: (entry: KeptEntry, asked: KeptAsked) => boolean): void;
  /** Writes what is new, if anything is. */
  write(): void;
}

/** So many files are remembered: an editor that lives for days must not gather texts that have no file. */
const MOST_FILES = 50_000;

/**
 * Undefined where nothing can be kept: no folder is named, and there is no `node_modules` that can be written to.
 * @param build Tells this version of all that judges from others: what another one wrote is of no use.
 * @param named The folder to keep them in, seen from `cwd`.
 */
export function findingsFile(cwd: string, build: string, named?: string): FindingsFile | undefined {
  const folder = named === undefined ? cacheFolderAbove(cwd) : resolve(cwd, named);
  return folder === undefined ? undefined : fileIn(folder, cwd, build);
}

function fileIn(folder: string, cwd: string, build: string): FindingsFile {
  const path = join(folder, `${digestOf(resolve(cwd)).slice(0, 16)}.eslint.kept`);
  const writer = `${build} ${process.version}`;
  const { entries, programs } = read();
  const touched = new Set<string>();
  const opened = new Set<string>();
  let hasNew = false;
  return {
    get: (file) => entries.get(file),
    touch: (file) => { touched.add(file); },
    put(file, entry) {
      hasNew = true;
      touched.add(file);
      // The newest last.
      entries.delete(file);
      entries.set(file, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= MOST_FILES) break;
        entries.delete(oldest);
      }
    },
    program: (id) => programs.get(id),
    putProgram(id, program, isSame) {
      hasNew ||= !isSame;
      opened.add(id);
      programs.set(id, program);
    },
    write,
    dropEntries(id, isLost) {
      for (const [file, entry] of entries) if (entry.typed?.program === id && isLost(entry, entry.typed)) entries.delete(file);
    },
  };

  /** A file that is broken, or of another version, is as good as none. */
  function read(): Kept {
    const back = readKept(path, writer);
    return back.kind === 'whole' ? unpacked(back.body) : nothingKept();
  }

  function write(): void {
    if (!hasNew) return;
    hasNew = false;
    const all = united(read(), { entries, programs, touched, opened });
    for (const file of all.entries.keys()) if (!existsSync(file)) all.entries.delete(file);
    writeKept(path, writer, packed(all));
    pruneKept(folder, Date.now());
  }
}

/** In the nearest `node_modules` above the folder, or in it. */
function cacheFolderAbove(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (canWriteTo(modules)) return join(modules, '.cache', 'step-lock');
    if (dirname(folder) === folder) return undefined;
  }
}

function canWriteTo(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
