import type { Finding, Review, ReviewException } from '../review/types.js';
import type { LedgerLine } from './chain.js';
import { closingOf, operationOf, type Covers } from './closing.js';
import type { LedgerEntry, OpenedFinding } from './entry.js';

/** A finding that is open after a run, and the run that opened it. */
export interface OpenFinding { readonly opened: OpenedFinding; readonly run: number }

/** The findings that are open after all lines, in the order in which they were opened. */
export function openAfter(lines: readonly LedgerLine[]): OpenFinding[] {
  return stateAfter(lines).filter(({ isAccepted }) => !isAccepted);
}

/** What is open, and what an exception accepts that was open before: that it is mended one day is to be told as well. */
function stateAfter(lines: readonly LedgerLine[]): (OpenFinding & { readonly isAccepted: boolean })[] {
  const state = new Map<string, OpenFinding & { readonly isAccepted: boolean }>();
  for (const { entry } of lines) {
    for (const closed of entry.closed) {
      const held = state.get(keyOf(closed));
      if (closed.closing.by === 'exception' && held !== undefined) state.set(keyOf(closed), { ...held, isAccepted: true });
      else state.delete(keyOf(closed));
    }
    for (const opened of entry.opened) state.set(keyOf(opened), { opened, run: entry.run, isAccepted: false });
  }
  return [...state.values()];
}

export interface RunFacts {
  readonly asOf: string;
  readonly commit?: string;
  readonly uncommitted?: boolean;
  readonly covers: Covers;
}

/**
 * What a run adds to the ledger: which findings are open that were not, and what closed those that no longer are. A finding of the baseline is open: nobody answers
 * for it.
 */
export function nextEntry(lines: readonly LedgerLine[], review: Review, { asOf, commit, uncommitted, covers }: RunFacts): LedgerEntry {
  const before = stateAfter(lines);
  const wasOpen = new Set(before.flatMap(({ opened, isAccepted }) => (isAccepted ? [] : [keyOf(opened)])));
  const found = new Set(review.findings.map(keyOf));
  const open = review.findings.filter(({ exception }) => exception === undefined);
  const isOpen = new Set(open.map(keyOf));
  const last = lines.at(-1);
  return {
    schemaVersion: 1,
    run: (last?.entry.run ?? 0) + 1,
    previous: last?.hash ?? '',
    ...(commit === undefined ? {} : { commit }),
    ...(uncommitted === true ? { uncommitted } : {}),
    asOf,
    configDigest: review.scope.configDigest,
    verdict: review.verdict,
    opened: open.filter((finding) => !wasOpen.has(keyOf(finding))).map((finding) => opening(finding, review)),
    closed: before.flatMap(({ opened, isAccepted }) => ((isAccepted ? found : isOpen).has(keyOf(opened)) ? [] : closingOf(opened, review, covers) ?? [])),
    exceptions: review.exceptions.map((exception) => exceptionRow(exception, review)),
  };
}

export function keyOf({ rule, fingerprint }: { readonly rule: string; readonly fingerprint: string }): string {
  return `${rule} ${fingerprint}`;
}

function opening({ fingerprint, rule, severity, certainty, file, line, message, site: id }: Finding, { sites }: Review): OpenedFinding {
  const site = sites.find((s) => s.id === id);
  return {
    fingerprint, rule, severity, certainty, file, line, message,
    site: { subject: site?.subject ?? '', fn: site?.name ?? '', operation: site === undefined ? '' : operationOf(site.facts) },
  };
}

function exceptionRow({ rule, file, line, status, owner, reason, expires, findings }: ReviewException, review: Review): LedgerEntry['exceptions'][number] {
  return {
    rule, file, line, status,
    ...(owner === undefined ? {} : { owner }), ...(reason === undefined ? {} : { reason }), ...(expires === undefined ? {} : { expires }),
    accepts: review.findings.filter(({ id }) => findings.includes(id)).map(({ fingerprint }) => fingerprint),
  };
}
