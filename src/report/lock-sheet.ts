import type { Review, ReviewLock, ReviewSite, ReviewTarget } from '../review/types.js';
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
  readonly writes: readonly ReviewSite[];
  readonly all: readonly ReviewSite[];
}

/** The sheet of a lock: the skill's ten parameters, what is unknown said as unknown. */
export function lockSheet(lock: ReviewLock, review: Pick<Review, 'sites' | 'targets' | 'findings' | 'verification'>): LockParameter[] {
  const around = aroundOf(lock, review);
  return [
    parameter('Step identifier', stepIdentifier(around)),
    parameter('Owner', [quoted(lock.owner), ...judgedAs(around.all, ['require-unique-owner', 'require-release-owner'])]),
    parameter('TTL', [quoted(lock.ttl), ...judgedAs(around.acquires, ['require-ttl']), ...renewal(around)]),
    parameter('Guard', guards(around)),
    parameter('Allowed transitions', around.targets.map(({ name, transitions }) => `\`${name}\`: ${transitions.length === 0 ? UNKNOWN : transitions.map((step) => `\`${step}\``).join(', ')}`)),
    parameter('Store behaviour', storeBehaviour(around)),
    parameter('Retry policy', [...known('when it is taken: ', lock.onContention), ...judgedAs(around.acquires, ['no-ignored-acquire-result', 'require-bounded-retry'])]),
    parameter('Failure behaviour', [
      ...known('when the store is away: ', lock.onOutage),
      ...judgedAs(around.all, ['no-fail-open', 'require-release', 'no-unheld-release', 'no-throwing-release', 'no-write-after-expiry', 'no-ignored-extend-result']),
    ]),
    parameter('Event names', [...known('', lock.events), ...judgedAs(around.all, ['require-lock-events'])]),
    parameter('Verification cases', verification(around, review)),
  ];
}

function parameter(name: string, entries: readonly string[]): LockParameter {
  return { name, entries: entries.length === 0 ? [UNKNOWN] : entries };
}

function aroundOf(lock: ReviewLock, { sites, targets }: Pick<Review, 'sites' | 'targets'>): Around {
  const acquires = sites.filter(({ id }) => lock.acquirers.includes(id));
  const followers = sites.filter(({ file, name, facts }) => (facts.subject === 'L' || facts.subject === 'E') && facts.key === lock.keyTemplate
    && acquires.some((acquire) => acquire.file === file && acquire.name === name));
  const protectedTargets = targets.filter(({ id }) => lock.protects.includes(id));
  const writers = new Set(protectedTargets.flatMap((target) => target.writers).filter((writer) => writer.lock === lock.keyTemplate).map(({ site }) => site));
  const writes = sites.filter(({ id, file }) => writers.has(id) && acquires.some((acquire) => acquire.file === file));
  return { lock, acquires, followers, targets: protectedTargets, writes, all: [...acquires, ...followers, ...writes] };
}

function stepIdentifier({ lock, writes }: Around): string[] {
  const rows = new Set(writes.flatMap(({ facts }) => (facts.subject === 'T' && facts.identity !== 'unknown' ? [`\`${facts.target}\` by \`${facts.identity}\``] : [])));
  return [`key \`${lock.keyTemplate}\``, ...[...rows].map((row) => `row of ${row}`)];
}

function renewal({ lock, acquires, followers }: Around): string[] {
  const extensions = followers.flatMap(({ facts, line }) => (facts.subject === 'E' ? [`extended by \`${facts.api}\` on line ${line}`] : []));
  return [...known('renewal: ', lock.renewal), ...extensions, ...judgedAs(acquires, ['require-renewal'])];
}

function guards({ lock, targets }: Around): string[] {
  return targets.flatMap(({ name, writers }) => {
    const byGuard = new Map<string, number>();
    for (const writer of writers.filter((each) => each.lock === lock.keyTemplate)) byGuard.set(writer.guard, (byGuard.get(writer.guard) ?? 0) + 1);
    return [...byGuard].map(([guard, writes]) => `\`${name}\` under this key: ${guard}${writes === 1 ? '' : ` (${writes} writes)`}`);
  });
}

function storeBehaviour({ lock, acquires, followers }: Around): string[] {
  const took = new Set(acquires.flatMap(({ facts }) => (facts.subject === 'A' ? [`taken by \`${facts.api}\`, which answers ${facts.result}`] : [])));
  const freed = followers.flatMap(({ facts, line }) => (facts.subject === 'L' ? [`freed by \`${facts.api}\` on line ${line}, owner compared: ${OWNER_CHECKS[facts.ownerCheck]}`] : []));
  return [...took, ...judgedAs(acquires, ['require-atomic-acquire', 'require-pinned-connection', 'no-local-lock']), ...freed, ...known('release: ', lock.release), ...scope(lock)];
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
  return text === UNKNOWN ? UNKNOWN : `\`${text}\``;
}
