import type { Finding, Review, ReviewLock, ReviewSite, ReviewTarget, ReviewWriter } from '../review/types.js';
import { VERIFICATION_CASES, type VerificationId } from '../skill/skill.js';
import { judgedAs, known, UNKNOWN } from './sheet-words.js';

/** One of the skill's ten parameters of a lock; each entry is prose with code in backticks, and never empty. */
export interface LockParameter {
  readonly name: string;
  readonly entries: readonly string[];
}

/** What belongs to a lock besides its record. */
interface Around {
  readonly lock: ReviewLock;
  readonly acquires: readonly ReviewSite[];
  /** Releases and extensions of the same key in the same function. */
  readonly followers: readonly ReviewSite[];
  readonly targets: readonly ReviewTarget[];
  /** Writes of the protected targets that hold the lock. */
  readonly writes: readonly { readonly target: string; readonly writer: ReviewWriter; readonly site: ReviewSite | undefined }[];
  readonly all: readonly ReviewSite[];
  readonly findings: readonly Finding[];
}

/** The sheet of a lock: the skill's ten parameters, what is unknown said as unknown. */
export function lockSheet(lock: ReviewLock, review: Pick<Review, 'sites' | 'targets' | 'findings' | 'verification'>): LockParameter[] {
  const around = aroundOf(lock, review);
  return [
    parameter('Step identifier', stepIdentifier(around)),
    parameter('Owner', [quoted(lock.owner), ...judgedAs(around.all, ['require-unique-owner', 'require-release-owner'], around.findings)]),
    parameter('TTL', [quoted(lock.ttl), ...judgedAs(around.acquires, ['require-ttl'], around.findings), ...renewal(around)]),
    parameter('Guard', guards(around)),
    parameter('Allowed transitions', around.targets.map(({ name, transitions }) => `\`${name}\`: ${transitions.length === 0 ? UNKNOWN : transitions.map((step) => `\`${step}\``).join(', ')}`)),
    parameter('Store behaviour', storeBehaviour(around)),
    parameter('Retry policy', [...known('when it is taken: ', lock.onContention), ...judgedAs(around.acquires, ['no-ignored-acquire-result', 'require-bounded-retry'], around.findings)]),
    parameter('Failure behaviour', [
      ...known('when the store is away: ', lock.onOutage),
      ...judgedAs(around.all, ['no-fail-open', 'require-release', 'no-unheld-release', 'no-throwing-release', 'no-write-after-expiry', 'no-ignored-extend-result'], around.findings),
    ]),
    parameter('Event names', [...known('', lock.events), ...judgedAs(around.all, ['require-lock-events'], around.findings)]),
    parameter('Verification cases', verification(around, review)),
  ];
}

/** The findings at the lock: where it is taken, extended and freed, and at the writes under it. */
export function lockFindings(lock: ReviewLock, review: Pick<Review, 'sites' | 'targets' | 'findings'>): Finding[] {
  const sites = new Set(aroundOf(lock, review).all.map(({ id }) => id));
  return review.findings.filter(({ site }) => sites.has(site));
}

function parameter(name: string, entries: readonly string[]): LockParameter {
  return { name, entries: entries.length === 0 ? [UNKNOWN] : entries };
}

function aroundOf(lock: ReviewLock, { sites, targets, findings }: Pick<Review, 'sites' | 'targets' | 'findings'>): Around {
  const acquires = sites.filter(({ id }) => lock.acquirers.includes(id));
  const followers = sites.filter(({ file, name, facts }) => (facts.subject === 'L' || facts.subject === 'E') && facts.key === lock.keyTemplate
    && acquires.some((acquire) => acquire.file === file && acquire.name === name));
  const protectedTargets = targets.filter(({ id }) => lock.protects.includes(id));
  const files = new Set(acquires.map(({ file }) => file));
  const writes = protectedTargets
    .flatMap((target) => target.writers.filter((writer) => holds(writer, lock)).map((writer) => ({ target: target.name, writer, site: sites.find(({ id }) => id === writer.site) })))
    // The same key text in another file is another acquisition, with a sheet of its own.
    .filter(({ site }) => site === undefined || files.has(site.file));
  return { lock, acquires, followers, targets: protectedTargets, writes, all: [...acquires, ...followers, ...writes.flatMap(({ site }) => site ?? [])], findings };
}

/** A writer tells its lock as `acquire(key)` or as the key alone. */
function holds(writer: ReviewWriter, { keyTemplate }: ReviewLock): boolean {
  return writer.lock === keyTemplate || writer.lock.endsWith(`(${keyTemplate})`);
}

function stepIdentifier({ lock, writes }: Around): string[] {
  const rows = new Set(writes.flatMap(({ site }) => (site?.facts.subject === 'T' && site.facts.identity !== 'unknown' ? [`\`${site.facts.target}\` by \`${site.facts.identity}\``] : [])));
  return [`key \`${lock.keyTemplate}\``, ...[...rows].map((row) => `row of ${row}`)];
}

function renewal({ lock, acquires, followers, findings }: Around): string[] {
  const extensions = followers.flatMap(({ facts, line }) => (facts.subject === 'E' ? [`extended by \`${facts.api}\` on line ${line}`] : []));
  return [...known('renewal: ', lock.renewal), ...extensions, ...judgedAs(acquires, ['require-renewal'], findings)];
}

/** The guards of the writes under the lock, each once. */
function guards({ writes }: Around): string[] {
  const counts = new Map<string, number>();
  for (const { target, writer } of writes) {
    const guard = `\`${target}\`, ${writer.guard}`;
    counts.set(guard, (counts.get(guard) ?? 0) + 1);
  }
  return [...counts].map(([guard, n]) => `${guard}${n === 1 ? '' : ` (${n} writes)`}`);
}

function storeBehaviour({ lock, acquires, followers, findings }: Around): string[] {
  const took = new Set(acquires.flatMap(({ facts }) => (facts.subject === 'A' ? [`taken by \`${facts.api}\`, which answers ${facts.result}`] : [])));
  const freed = followers.flatMap(({ facts, line }) => (facts.subject === 'L' ? [`freed by \`${facts.api}\` on line ${line}, owner compared: ${OWNER_CHECKS[facts.ownerCheck]}`] : []));
  return [...took, ...judgedAs(acquires, ['require-atomic-acquire', 'require-pinned-connection', 'no-local-lock'], findings), ...freed, ...known('release: ', lock.release), ...scope(lock)];
}

const OWNER_CHECKS = {
  'atomic': 'in the same step',
  'contract': 'by the contract of that call',
  'two-step': 'in a step before, not in the same one',
  'none': 'no',
  'by-connection': 'by the connection',
  'unknown': UNKNOWN,
} as const;

function scope(lock: ReviewLock): string[] {
  return lock.scope === 'manual' ? [] : known('scope: ', lock.scope);
}

/** V1, V2, V3 and V6 concern every lock; the others where something calls for them. */
function verification({ all, lock, followers }: Around, review: Pick<Review, 'findings' | 'verification'>): string[] {
  const ids = new Set<VerificationId>(['V1', 'V2', 'V3', 'V6']);
  if (followers.some(({ subject }) => subject === 'E')) ids.add('V4');
  if (lock.protects.length > 0) ids.add('V5');
  const sites = new Set(all.map(({ id }) => id));
  for (const finding of review.findings) if (sites.has(finding.site)) finding.validation.forEach((id) => ids.add(id));
  return [...ids].sort().map((id) => {
    const row = review.verification.find((each) => each.id === id);
    return `${id} ${VERIFICATION_CASES[id]}: ${row === undefined ? UNKNOWN : row.status === 'unknown' ? `${UNKNOWN}, ${row.evidence}` : `${row.status}, ${row.evidence}`}`;
  });
}

function quoted(text: string): string {
  return text === UNKNOWN || text === 'none' ? text : `\`${text}\``;
}
