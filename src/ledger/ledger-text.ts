import type { LedgerLine } from './chain.js';
import type { Closing, LedgerEntry, OpenedFinding } from './entry.js';
import { openAfter } from './next-entry.js';

/** What a ledger comes to: its runs, its head, what is open. */
export function ledgerSummary(lines: readonly LedgerLine[], name: string): string {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return `${name}: no run was written yet\n`;
  const open = openAfter(lines);
  const count = `${String(lines.length)} ${lines.length === 1 ? 'run' : 'runs'}`;
  return [
    `${name}: ${count} from ${first.entry.asOf} to ${last.entry.asOf}, each joined to the one before`,
    `head        ${last.hash}`,
    `verdict     ${last.entry.verdict}`,
    `open        ${String(open.length)} ${open.length === 1 ? 'finding' : 'findings'}`,
    ...open.map(({ opened, run }) => `            ${opened.fingerprint} ${opened.rule} ${opened.file}:${String(opened.line)} since run ${String(run)}`),
    ...last.entry.exceptions.map((e, at) => `${(at === 0 ? 'exceptions' : '').padEnd(12)}${e.status} ${e.rule} ${e.file}:${String(e.line)} by ${e.owner ?? 'nobody'} until ${e.expires ?? 'no day'}`),
    '',
  ].join('\n');
}

/**
 * All that a ledger says of some findings: when each was opened and closed, and by what.
 * @returns undefined where it knows none.
 */
export function findingRecord(lines: readonly LedgerLine[], isNamed: (fingerprint: string) => boolean): string | undefined {
  const told = lines.flatMap(({ entry }) => [
    ...entry.closed.filter((c) => isNamed(c.fingerprint)).flatMap((c) => [`${head(entry)}  closed  ${c.fingerprint} ${c.rule}`, ...closingLines(c.closing).map(indent)]),
    ...entry.opened.filter((o) => isNamed(o.fingerprint)).flatMap((o) => [`${head(entry)}  opened  ${o.fingerprint} ${o.rule}`, ...openingLines(o).map(indent)]),
  ]);
  if (told.length === 0) return undefined;
  const open = openAfter(lines).filter(({ opened }) => isNamed(opened.fingerprint)).length;
  return `${told.join('\n')}\n${open === 0 ? 'It is closed.' : 'It is open.'}\n`;
}

function head({ run, asOf, commit, uncommitted }: LedgerEntry): string {
  return `run ${String(run)}  ${asOf}  ${commit === undefined ? 'no commit' : commit.slice(0, 12)}${uncommitted === true ? ' with changes' : ''}`;
}

function indent(line: string): string {
  return `    ${line}`;
}

function openingLines({ severity, certainty, file, line, message, site }: OpenedFinding): string[] {
  return [`${severity} ${certainty} at ${file}:${String(line)}, in ${site.fn}`, message];
}

function closingLines(closing: Closing): string[] {
  switch (closing.by) {
    case 'verified': return [`proven right at ${closing.at}`, ...closing.evidence.map(({ file, line, note }) => `${file}:${String(line)}  ${note}`)];
    case 'told-by': return [`at ${closing.at} ${closing.rule} tells the root cause`];
    case 'unknown': return [`no longer found at ${closing.at}, and not shown to be right: ${closing.question}`];
    case 'not-applicable': return [`the rule asks nothing of ${closing.at} any more`];
    case 'gone': return ['the operation is gone'];
    case 'exception': return [`accepted by ${closing.owner} until ${closing.expires}, at ${closing.file}:${String(closing.line)}: ${closing.reason}`];
  }
}
