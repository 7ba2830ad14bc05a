import type { SiteFacts } from '../engine/judge/site.js';
import type { ReviewLock, ReviewOutcome, ReviewSite } from './types.js';

/** One side of how a lock behaves, in words without a place, and whether that is as it should be. */
export interface Behaviour {
  readonly text: string;
  readonly standing: 'sound' | 'broken' | 'unknown';
}

/** What the outcomes at its acquisition and the releases and extensions beside it tell of a lock. */
export interface LockBehaviour {
  readonly renewal: Behaviour;
  readonly release: Behaviour;
  readonly onContention: Behaviour;
  readonly onOutage: Behaviour;
}

/** What a lock is known by: its acquisition and its function. */
type Taken = Pick<ReviewLock, 'acquirers' | 'keyTemplate' | 'scope'>;

export function lockBehaviour(lock: Taken, sites: readonly ReviewSite[]): LockBehaviour {
  const acquire = sites.find(({ id }) => id === lock.acquirers[0]);
  const beside = sites.filter(({ file, name, facts }) => acquire !== undefined && file === acquire.file && name === acquire.name && keyOf(facts) === lock.keyTemplate);
  const outcome = (rule: string): ReviewOutcome['status'] => acquire?.outcomes[rule]?.status ?? 'unknown';
  return {
    renewal: renewal(outcome('require-renewal'), beside),
    release: release(lock, outcome('require-release'), beside),
    onContention: contention(outcome('no-ignored-acquire-result'), outcome('require-bounded-retry')),
    onOutage: told(outcome('no-fail-open'), { verified: 'fails closed', violated: 'goes on without the lock' }),
  };
}

function renewal(status: ReviewOutcome['status'], beside: readonly ReviewSite[]): Behaviour {
  const by = apis(beside, 'E');
  if (by !== '') return { text: `by ${by}`, standing: status === 'violated' ? 'broken' : 'sound' };
  return told(status, { 'verified': 'none needed', 'violated': 'none, and the work can outlive the TTL', 'not-applicable': 'none' });
}

function release(lock: Taken, status: ReviewOutcome['status'], beside: readonly ReviewSite[]): Behaviour {
  if (lock.scope === 'transaction') return { text: 'with the transaction', standing: 'sound' };
  const checks = [...new Set(beside.flatMap(({ facts }) => (facts.subject === 'L' ? [OWNER_CHECK[facts.ownerCheck]] : [])))].sort();
  const by = apis(beside, 'L');
  const paths = told(status, { verified: 'on every path', violated: 'not on every path' });
  const how = by === '' ? (lock.scope === 'manual' ? '' : `when the ${lock.scope} ends`) : `by ${by}, ${checks.join(' or ')}`;
  return { ...paths, text: [how, paths.text === 'unknown' ? '' : paths.text].filter((part) => part !== '').join(', ') || 'unknown' };
}

const OWNER_CHECK = {
  'atomic': 'owner compared', 'contract': 'owner handed over', 'two-step': 'owner compared in a step of its own', 'none': 'owner not compared', 'by-connection': 'by the connection that took it', 'unknown': 'owner perhaps compared',
} as const satisfies Record<Extract<SiteFacts, { subject: 'L' }>['ownerCheck'], string>;

function contention(result: ReviewOutcome['status'], retry: ReviewOutcome['status']): Behaviour {
  const loser = told(result, { verified: 'the loser stops', violated: 'the loser goes on' });
  if (retry !== 'verified' && retry !== 'violated') return loser;
  const retried = retry === 'verified' ? 'retried with a bound' : 'retried without a bound';
  return { text: loser.text === 'unknown' ? retried : `${loser.text}, ${retried}`, standing: retry === 'violated' ? 'broken' : loser.standing };
}

function told(status: ReviewOutcome['status'], words: Partial<Record<ReviewOutcome['status'], string>>): Behaviour {
  return { text: words[status] ?? 'unknown', standing: status === 'verified' ? 'sound' : status === 'violated' ? 'broken' : 'unknown' };
}

function apis(beside: readonly ReviewSite[], subject: 'L' | 'E'): string {
  return [...new Set(beside.flatMap(({ facts }) => (facts.subject === subject ? [`\`${facts.api}\``] : [])))].sort().join(' and ');
}

function keyOf(facts: SiteFacts): string | undefined {
  return facts.subject === 'A' || facts.subject === 'L' || facts.subject === 'E' ? facts.key : undefined;
}
