import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { digestOf } from './digest.js';

/** What came back from a file of the cache. `foreign`: another version of step-lock wrote it. */
export type ReadBack = { readonly kind: 'whole'; readonly body: string } | { readonly kind: 'none' } | { readonly kind: 'broken' } | { readonly kind: 'foreign' };

const MARK = 'step-lock cache 1';
/** So many files are kept in a folder, the last that were written. A report of a large tree has some megabytes. */
const MOST_FILES = 40;
const DRAFT_LIVES = 3_600_000;
const OWN_FILE = /^[\w-]{16}[\w.-]*\.(?:json|kept)(?:\.\d+-\w+)?$/;

/** Reads a file of the cache whole or not at all: its first line names who wrote it and the digest of the rest. */
export function readKept(path: string, tool: string): ReadBack {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? { kind: 'none' } : { kind: 'broken' };
  }
  const end = text.indexOf('\n');
  const [mark, writer, digest] = text.slice(0, Math.max(end, 0)).split('\t');
  if (mark !== MARK) return { kind: 'broken' };
  if (writer !== tool) return { kind: 'foreign' };
  const body = text.slice(end + 1);
  return digestOf(body) === digest ? { kind: 'whole', body } : { kind: 'broken' };
}

/**
 * Writes a file of the cache at once, so that two runs cannot leave half of each. A folder that cannot be written to costs time in the next run, nothing else.
 * @returns Whether it was written.
 */
export function writeKept(path: string, tool: string, body: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${String(process.pid)}-${Math.random().toString(36).slice(2)}`;
    writeFileSync(draft, `${[MARK, tool, digestOf(body)].join('\t')}\n${body}`);
    renameSync(draft, path);
    return true;
  } catch {
    return false;
  }
}

/** Has files count as just written: what is still of use is not to be taken away for its age. */
export function markUsed(paths: readonly string[], now: Date): void {
  for (const path of paths) {
    try {
      utimesSync(path, now, now);
    } catch {
      // It is not there, or another's.
    }
  }
}

/** Takes the oldest files of the cache away, so that it does not grow without end, and drafts of runs that were ended. Other files are left alone. */
export function pruneKept(folder: string, now: number): void {
  try {
    const files = readdirSync(folder).filter((name) => OWN_FILE.test(name)).map((name) => ({ path: join(folder, name), written: statSync(join(folder, name)).mtimeMs, isDraft: /\.\d+-\w+$/.test(name) }));
    const old = files.filter(({ isDraft }) => !isDraft).sort((a, b) => b.written - a.written).slice(MOST_FILES);
    for (const { path } of [...old, ...files.filter(({ isDraft, written }) => isDraft && written < now - DRAFT_LIVES)]) rmSync(path, { force: true });
  } catch {
    // Another run tidies up too.
  }
}
