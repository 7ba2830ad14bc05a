import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { absolutePath, isWithin } from '../audit/file-path.js';
import { headCommit } from '../audit/git.js';
import { UserMistake } from '../audit/user-mistake.js';
import { readLedger, writeLine, type LedgerBreak, type LedgerLine } from '../ledger/chain.js';
import { nextEntry } from '../ledger/next-entry.js';
import type { Review } from '../review/types.js';
import { isWhole } from './exceptions-option.js';
import type { Terminal } from './terminal.js';

/**
 * Appends a run to a ledger; the first run makes the file.
 * @param paths What was audited, as the user gave it.
 * @throws {UserMistake} for a ledger that is broken or cannot be written: nothing is appended to what cannot be trusted.
 */
export function appendToLedger(name: string, review: Review, paths: readonly string[], { cwd }: Pick<Terminal, 'cwd'>): void {
  const path = resolve(cwd, name);
  const { lines, broken } = existsSync(path) ? readLedger(ledgerText(path, name)) : { lines: [] };
  if (broken !== undefined) throw new UserMistake(`${brokenSentence(name, broken)}, so that this run was not written to it.`, 'Bring the ledger back from version control, or begin a new one under another name.');
  const roots = isWhole(cwd, paths) ? undefined : paths.map((p) => absolutePath(cwd, p));
  const skipped = new Set(review.scope.filesSkipped.map(({ file }) => file));
  const entry = nextEntry(lines, review, {
    ...headCommit(cwd, path),
    asOf: review.scope.asOf ?? '',
    covers: (file) => !skipped.has(file) && (roots === undefined || roots.some((root) => isWithin(root, absolutePath(cwd, file)))),
  });
  try {
    appendFileSync(path, writeLine(entry));
  } catch (error) {
    throw new UserMistake(`The ledger cannot be written to \`${name}\` (${codeOf(error)}).`, 'Give --ledger the path of a file that can be written.');
  }
}

/**
 * The lines of a ledger that is there, and where it is broken.
 * @throws {UserMistake} for a file that is not there.
 */
export function readLedgerFile(name: string, { cwd }: Pick<Terminal, 'cwd'>): { readonly lines: readonly LedgerLine[]; readonly broken?: LedgerBreak } {
  const path = resolve(cwd, name);
  if (!existsSync(path)) throw new UserMistake(`There is no ledger \`${name}\`.`, 'Give the path that was given to `audit --ledger`.');
  return readLedger(ledgerText(path, name));
}

/** Without a full stop. */
export function brokenSentence(name: string, { line, what }: LedgerBreak): string {
  return `Line ${String(line)} of ${name} ${what}`;
}

function ledgerText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserMistake(`The ledger \`${name}\` cannot be read (${codeOf(error)}).`, 'Give the path of a file that can be read.');
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
