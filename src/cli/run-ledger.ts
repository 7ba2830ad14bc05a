import { UserMistake } from '../audit/user-mistake.js';
import { fingerprintTest } from '../exceptions/fingerprint-text.js';
import { findingRecord, ledgerSummary } from '../ledger/ledger-text.js';
import { printable } from '../report/paint.js';
import type { ExitCode } from './exit-code.js';
import { brokenSentence, readLedgerFile } from './ledger-file.js';
import type { Terminal } from './terminal.js';

/** The flags of `ledger` as commander hands them over. */
export interface LedgerFlags {
  /** A fingerprint, or how it begins. */
  readonly finding?: string;
  /** The hash of a line that was seen before, or how it begins: it must still be there. */
  readonly head?: string;
}

const FEWEST_DIGITS = 8;

/**
 * Checks that a ledger was only appended to, and shows what it says: as a whole, or of one finding. 1 where it is broken.
 * @throws {UserMistake} for a ledger that is not there and a finding that it does not know.
 */
export function runLedger(file: string, { finding, head }: LedgerFlags, terminal: Terminal): ExitCode {
  const { lines, broken } = readLedgerFile(file, terminal);
  const gone = head !== undefined && !lines.some(({ hash }) => hash.startsWith(digits(head, '--head')));
  if (broken !== undefined) terminal.stderr.write(`step-lock: ${brokenSentence(file, broken)}. What is told below ends before it.\n`);
  else if (gone) terminal.stderr.write(`step-lock: No line of ${file} has the hash ${head}: what was written up to there was taken away or written anew.\n`);
  const record = finding === undefined ? ledgerSummary(lines, file) : findingRecord(lines, fingerprintTest(lines.flatMap(({ entry }) => entry.opened.map((o) => o.fingerprint)), digits(finding, '--finding')));
  if (record === undefined) throw new UserMistake(`${file} knows no finding \`${finding ?? ''}\`.`, 'Give a fingerprint, as the json report and the ledger spell it.');
  terminal.stdout.write(printable(record));
  return broken !== undefined || gone ? 1 : 0;
}

function digits(text: string, flag: string): string {
  if (/^[0-9a-f]+(?:-\d+)?$/i.test(text) && text.length >= FEWEST_DIGITS) return text.toLowerCase();
  throw new UserMistake(`\`${text}\` is not the beginning of a hash.`, `Give ${flag} at least ${String(FEWEST_DIGITS)} of the digits 0-9 and a-f.`);
}
