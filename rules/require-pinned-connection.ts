import type { Outcome, Violated } from '../src/engine/judge/outcome.js';
import type { Unpinned } from '../src/engine/judge/pinning.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, ReleaseSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'require-pinned-connection',
  skill: 'R1',
  dimension: 'D1',
  subjects: ['A', 'L'],
  judgesRowLocks: true,
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A lock of a database needs the one connection, or the open transaction, that it lives by.',
  messages: {
    session: '{{api}} locks a session, and {{client}} lends any connection to each statement: a second worker that gets this one is let in, and the unlock misses. Check one out for lock, work and unlock.',
    statement: '{{api}} holds until its transaction ends, and this statement runs in none: the lock is gone with it, and the next worker takes the same. Run lock and work in one transaction, on its handle.',
    begun: '{{api}} runs on any connection of {{client}}, not on the one that got BEGIN: the lock is gone with this statement, and the next worker takes the same. Check one connection out for all.',
    beside: '{{api}} runs on {{client}}, beside the open transaction: the lock is gone with this statement, and the next worker takes the same. Run it on {{handle}}.',
    unlock: '{{api}} runs on any connection of {{client}}, not on the one that locked {{key}}: the lock stays, and other workers are refused until that one closes. Unlock on the connection that locked.',
    body: 'Line {{line}} locks this row of {{key}} in the transaction of {{handle}}, and this write runs on {{client}} beside it: it waits for that very lock, and no other worker gets the row meanwhile. Write through {{handle}}.',
  },
  validation: ['V1', 'V2'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judgeLock(subject) : subject.kind === 'L' ? judgeUnlock(subject) : { status: 'not-applicable' }),
};
export default rule;

function judgeLock(subject: AcquisitionSubject): Outcome {
  const { operation, unit, key } = subject;
  const pinning = subject.pinning();
  if (pinning === undefined) return { status: 'not-applicable' };
  if (pinning.kind === 'held') return subject.locksRow ? judgeBody(subject, pinning.note) : { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note: pinning.note }] };
  if (pinning.kind === 'unknown') return unknown(key, operation.api);
  const livesBySession = !/_xact_|^FOR UPDATE$/.test(operation.api);
  if (livesBySession && pinning.kind === 'beside') return violated(pinning, 'session', operation.api, key);
  return violated(pinning, livesBySession ? 'session' : pinning.kind === 'beside' ? 'beside' : pinning.begun ? 'begun' : 'statement', operation.api, key);
}

/** The lock is right: is what it is for on the same connection? */
function judgeBody(subject: AcquisitionSubject, note: string): Outcome {
  const place = subject.unit.placeOf(subject.operation.node);
  const beside = subject.writeBeside();
  if (beside === undefined) return { status: 'verified', evidence: [{ place, note }] };
  const { at, client, handle, sure } = beside;
  return {
    status: 'violated', certainty: sure ? 'certain' : 'likely', at, messageId: 'body', data: { line: String(place.line), key: subject.key, client, handle },
    witness: [{ place, role: 'acquire', note: 'the row is locked in the transaction' }, { place: at, role: 'write', note: 'runs on another connection' }],
    action: 'Run the write on the handle of the transaction that holds the lock.',
  };
}

function judgeUnlock(subject: ReleaseSubject): Outcome {
  const { operation, unit, key } = subject;
  const pinning = operation.link === 'connection' && !operation.api.startsWith('pg_') ? undefined : subject.pinning();
  if (pinning === undefined) return { status: 'not-applicable' };
  if (pinning.kind === 'held') return { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note: pinning.note }] };
  if (pinning.kind === 'unknown') return unknown(key, operation.api);
  // Of the connection that the lock was taken on nothing is known, so nothing is known of another one.
  const ofAcquires = subject.pinningOfAcquires();
  if (ofAcquires.length > 0 && ofAcquires.every((p) => p?.kind === 'unknown')) return unknown(key, operation.api);
  const outcome = violated(pinning, 'unlock', operation.api, key);
  // A lock that was taken through the pool is told where it is taken.
  const isToldBefore = ofAcquires.some((p) => p?.kind === 'pool' || p?.kind === 'beside');
  return isToldBefore ? { ...outcome, supersededBy: rule.id } : outcome;
}

function violated({ client, sure, at, witness, handle }: Unpinned, messageId: string, api: string, key: string): Violated {
  return {
    status: 'violated', certainty: sure ? 'certain' : 'likely', at, messageId, data: { api: shown(api), client, key, handle }, witness,
    action: messageId === 'session' || messageId === 'unlock' ? 'Check one connection out, and lock, work and unlock on it.' : 'Open a transaction and run lock and work on its handle.',
  };
}

function unknown(key: string, api: string): Outcome {
  return { status: 'unknown', missing: { fact: `which connection ${shown(api)} of ${key} runs on`, question: 'Does this client stand for one connection, with a transaction open on it where the lock lives by one?' } };
}

/** The longest of PostgreSQL's lock functions are told apart by their middle. */
function shown(api: string): string {
  return api.startsWith('pg_') ? quoted(api, 32) : quotedApi(api);
}
