import type { Review, ReviewLock, ReviewSite, ReviewTarget, ReviewWriter } from '../review/types.js';
import { code, prose } from './markdown-text.js';
import { count } from './review-words.js';

/**
 * The protocol of a code base as a page that a team commits: every lock, every state target with its writers, and how many places were judged. Sorted by
 * names, without lines, commits or dates: it changes when the protocol does, and one line of it for each thing that moved.
 */
export function protocolPage(review: Review): string {
  const lines = [
    '# Lock and state protocol',
    '',
    'Written by `step-lock audit --protocol`; do not edit. A change of this page is a change of the protocol: review it as one.',
    '',
    '## Locks',
    '',
    ...(review.locks.length === 0 ? ['No lock is taken.', ''] : locks(review)),
    '## State',
    '',
    ...(review.targets.length === 0 ? ['No state is written.', ''] : review.targets.toSorted((a, b) => compare(a.name, b.name)).flatMap((target) => oneTarget(target, review))),
    '## Coverage',
    '',
    ...coverage(review),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The lines of a page that is there and of one that would be written, where they differ: `- ` before what is gone, `+ ` before what came. */
export function differingLines(there: string, now: string): string[] {
  const [before, after] = [counted(there), counted(now)];
  const gone = there.split(/\r?\n/).filter((line) => line !== '' && take(after, line));
  const came = now.split('\n').filter((line) => line !== '' && take(before, line));
  return [...gone.map((line) => `- ${line}`), ...came.map((line) => `+ ${line}`)];
}

function counted(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split(/\r?\n/)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** True: the other side has none of it left. */
function take(left: Map<string, number>, line: string): boolean {
  const n = left.get(line) ?? 0;
  left.set(line, n - 1);
  return n <= 0;
}

/** One lock a function and key; equal ones are told once, with how often they are taken. */
function locks({ locks: all, sites, targets }: Review): string[] {
  const byId = new Map(sites.map((site) => [site.id, site]));
  const sheets = new Map<string, number>();
  for (const lock of all) {
    const sheet = oneLock(lock, byId.get(lock.acquirers[0] ?? ''), targets).join('\n');
    sheets.set(sheet, (sheets.get(sheet) ?? 0) + 1);
  }
  return [...sheets].sort(([a], [b]) => compare(a, b)).flatMap(([sheet, times]) => [sheet, ...(times === 1 ? [] : [`- taken so at ${String(times)} places`]), '']);
}

function oneLock(lock: ReviewLock, site: ReviewSite | undefined, targets: readonly ReviewTarget[]): string[] {
  const protects = lock.protects.map((id) => targets.find((target) => target.id === id)?.name ?? id).sort(compare);
  const api = site?.facts.subject === 'A' ? site.facts.api : 'unknown';
  return [
    `### ${code(lock.keyTemplate)} in ${code(site?.name ?? 'unknown')}, ${code(lock.file)}`,
    '',
    `- taken by: ${code(api)}, ${prose(lock.scope)}`,
    `- owner: ${value(lock.owner)}`,
    `- TTL: ${value(lock.ttl)}`,
    `- renewal: ${prose(lock.renewal)}`,
    `- release: ${prose(lock.release)}`,
    `- on contention: ${prose(lock.onContention)}`,
    `- on outage: ${prose(lock.onOutage)}`,
    `- protects: ${protects.length === 0 ? 'nothing in sight' : protects.map(code).join(', ')}`,
  ];
}

function value(text: string): string {
  return text === 'unknown' || text === 'none' || text === 'by the store' ? text : code(text);
}

function oneTarget(target: ReviewTarget, { sites }: Review): string[] {
  const byId = new Map(sites.map((site) => [site.id, site]));
  const writers = new Map<string, number>();
  for (const writer of target.writers) {
    const line = oneWriter(writer, byId.get(writer.site));
    writers.set(line, (writers.get(line) ?? 0) + 1);
  }
  return [
    `### ${code(target.name)}`,
    '',
    `- states: ${target.states.length === 0 ? 'unknown' : target.states.toSorted(compare).map(code).join(', ')}`,
    `- pairs of writers that can overlap: ${String(target.conflicts.length)}`,
    ...[...writers].sort(([a], [b]) => compare(a, b)).map(([line, times]) => (times === 1 ? line : `${line} (${String(times)} writes)`)),
    '',
  ];
}

function oneWriter(writer: ReviewWriter, site: ReviewSite | undefined): string {
  const file = site?.file ?? writer.site.replace(/:\d+:\d+(?:#\d+)?$/, '');
  const lock = writer.lock.startsWith('none') ? 'no lock' : `lock ${code(writer.lock)}`;
  return `- ${code(site?.name ?? '<module>')}, ${code(file)}: ${code(`${writer.from} -> ${writer.to}`)}, ${prose(writer.guard)}, ${lock}`;
}

const SUBJECTS = { A: 'acquires', L: 'releases', E: 'extensions', T: 'state writes', I: 'lock implementations' } as const satisfies Record<ReviewSite['subject'], string>;

/** What is not seen is not judged: fewer sites are news too. */
function coverage({ sites, scope }: Review): string[] {
  const kinds = Object.entries(SUBJECTS).map(([subject, words]) => `- ${words}: ${String(sites.filter((site) => site.subject === subject).length)}`);
  return [`- sites judged: ${String(sites.length)}`, ...kinds, `- not judged to the end: ${count(new Set(scope.filesSkipped.filter(({ reason }) => /^(?:not UTF-8|larger|cannot)/.test(reason)).map(({ file }) => file)).size, 'file')}`, ''];
}

/** By code unit: the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
