import { createHash } from 'node:crypto';
import { entrySchema, type LedgerEntry } from './entry.js';

/** An entry with the hash that its line carries, over all that stands before it in the line; the line before is part of that by its own hash. */
export interface LedgerLine { readonly entry: LedgerEntry; readonly hash: string }

/** Where a ledger is broken, and how: one sentence without the place and without a full stop. */
export interface LedgerBreak { readonly line: number; readonly what: string }

export interface ReadLedger {
  /** The lines up to the first break. */
  readonly lines: readonly LedgerLine[];
  readonly broken?: LedgerBreak;
}

/** The line of an entry, with its line break. */
export function writeLine(entry: LedgerEntry): string {
  const body = JSON.stringify(entry);
  return `${body.slice(0, -1)},"hash":"${hashOf(body)}"}\n`;
}

/** Reads a ledger and checks that it was only ever appended to. That its last lines are still there only a hash kept elsewhere can tell. */
export function readLedger(text: string): ReadLedger {
  const lines: LedgerLine[] = [];
  if (text === '') return { lines };
  const rows = text.split('\n');
  // What stands behind the last line break is empty, unless that line was not written to its end.
  const rest = rows.pop() ?? '';
  for (const [at, row] of rows.entries()) {
    const read = readLine(row, lines.at(-1));
    if (typeof read === 'string') return { lines, broken: { line: at + 1, what: read } };
    lines.push(read);
  }
  return rest === '' ? { lines } : { lines, broken: { line: rows.length + 1, what: 'is cut short: the run that wrote it was interrupted, or the file was truncated' } };
}

function readLine(row: string, before: LedgerLine | undefined): LedgerLine | string {
  const parts = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/.exec(row);
  const [, head, hash] = parts ?? [];
  if (head === undefined || hash === undefined) return 'is no line of a ledger';
  const body = `${head}}`;
  if (hashOf(body) !== hash) return 'was changed after it was written: its hash does not fit what it says';
  const entry = entrySchema.safeParse(parsed(body));
  if (!entry.success) return 'is no line of a ledger that this version of step-lock can read';
  if (entry.data.previous !== (before?.hash ?? '') || entry.data.run !== (before?.entry.run ?? 0) + 1) return 'does not follow the line before it: a line was taken out, put in or moved';
  return { entry: entry.data, hash };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}
