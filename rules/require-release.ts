import type { Outcome } from '../src/engine/judge/outcome.js';
import { quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'require-release',
  skill: 'F1',
  dimension: 'D4',
  subjects: ['A'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'Every path that took a lock must free it or hand it over.',
  messages: {
    return: 'This exit leaves {{key}} locked (taken on line {{line}}): every other worker is refused until the TTL ends, for ever without one. Free it in `finally`.',
    partial: 'When one of these locks is refused, those already taken stay: every other worker is refused until their TTL ends. Collect them and free all in `catch`.',
    open: 'This exit forgets the connection that {{key}} was asked for on: its transaction and locks stay until the process ends, and workers wait. End it and give it back here too.',
    session: 'This gives the connection back to the pool with {{key}} still on it (taken on line {{line}}): the session lives on, and every other worker is refused. Unlock before.',
    raced: 'When the timer wins, this acquire of {{key}} may still be granted, and nobody frees it: every other worker is refused until the TTL ends. Free it when it comes late.',
    throw: 'An error here leaves {{key}} locked (taken on line {{line}}): every other worker is refused until the TTL ends. Begin `try` right after the acquire.',
  },
  validation: ['V1', 'V3'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: AcquisitionSubject): Outcome {
  const { operation, unit, key, claim, plainlyLock } = subject;
  if (claim) return { status: 'not-applicable' };
  if (operation.scope !== 'manual') return { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note: 'the lock ends with its scope' }] };
  const promise = subject.promise();
  if (promise.kind === 'raced' && promise.isLost) {
    const at = unit.placeOf(operation.node);
    return {
      status: 'violated', certainty: 'likely', at, messageId: 'raced', data: { key },
      witness: [{ place: unit.placeOf(promise.race), role: 'await', note: 'the timer wins' }, { place: at, role: 'acquire', note: 'is granted later, and nobody frees it' }],
      action: 'Keep the promise of the acquire, and free the lock when it is granted after the race.',
    };
  }
  const paths = subject.paths();
  if (paths === undefined) return unknown(subject);
  if (paths.partial !== undefined) {
    return { status: 'violated', certainty: 'likely', ...paths.partial, messageId: 'partial', data: { key }, action: 'Note each lock when it is taken, and free all of them when one is refused.' };
  }
  if (paths.leak !== undefined) {
    const { at, by, witness } = paths.leak;
    return {
      status: 'violated',
      certainty: by === 'return' && plainlyLock && operation.evidence !== 'name' ? 'certain' : 'likely',
      at,
      messageId: by,
      data: { key, line: String(unit.placeOf(operation.node).line) },
      witness,
      action: by === 'return' ? 'Free the lock on this path too, best in `finally`.' : 'Move what may throw into the `try` whose `finally` frees the lock.',
    };
  }
  if (paths.open !== undefined) {
    return { status: 'violated', certainty: plainlyLock ? 'certain' : 'likely', ...paths.open, messageId: 'open', data: { key }, action: 'Roll back and release the connection on this path too.' };
  }
  if (paths.session !== undefined) {
    const line = String(unit.placeOf(operation.node).line);
    return { status: 'violated', certainty: plainlyLock ? 'certain' : 'likely', ...paths.session, messageId: 'session', data: { key, line }, action: 'Unlock on the same connection, in a `finally` of its own, before it is given back.' };
  }
  if (paths.handedOver) return unknown(subject);
  return { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note: 'every path from here frees the lock' }] };
}

function unknown({ operation, key }: AcquisitionSubject): Outcome {
  return { status: 'unknown', missing: { fact: `who frees ${key} after ${quotedApi(operation.api)}`, question: 'Which code gives this lock back, on every path, or is it left to expire on purpose?' } };
}
