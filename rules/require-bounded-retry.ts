import type { Outcome } from '../src/engine/judge/outcome.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { Retry } from '../src/engine/judge/retry.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'require-bounded-retry',
  skill: 'F1',
  dimension: 'D4',
  subjects: ['A'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A refused acquire is retried a limited number of times, with pauses that differ.',
  messages: {
    endless: 'A worker that is refused {{key}} asks again for ever (line {{line}}): when the holder hangs, callers pile up and none of them answers. Give the wait a deadline or a number of tries, then say "busy".',
    rush: 'Refused {{key}} (line {{line}}), this asks again at once: all who wait flood the store, or are out of tries while the holder still works. Pause between tries, longer each time, with a random part.',
    inStep: 'All workers that are refused {{key}} (line {{line}}) wait equally long and ask again together, and all but one lose again. Let the pause grow and give it a random part.',
  },
  validation: ['V1', 'V6'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: AcquisitionSubject): Outcome {
  const { operation, unit, key, claim } = subject;
  if (claim) return { status: 'not-applicable' };
  const retry = subject.retry();
  if (retry === undefined) return { status: 'not-applicable' };
  if (retry === 'opaque') return unknown(`whether the loop asks for ${key} again after a refusal`, 'What does this acquire answer when another worker holds the lock?');
  if (retry.limit === 'none') {
    // A policy of waiting is not one of flooding the store.
    if (unit.models.policy?.onContention === 'wait' && retry.pause !== 'none') return { status: 'not-applicable' };
    // Who waits to be the leader waits on purpose.
    if (isForLeaders(subject)) return unknown(`whether waiting for ${key} without end is meant`, 'Is this a standby that takes over when the leader goes, or does a caller wait for it?', 'policy.onContention');
    const isResolved = subject.plainlyLock && operation.evidence !== 'name' && retry.isGuessed !== true;
    return violated(subject, retry, 'endless', isResolved && retry.pause === 'none' ? 'certain' : 'likely', 'End the tries by a deadline, a number of tries or an abort signal, and answer "busy" then.');
  }
  if (retry.limit === 'other') return unknown(`when ${retry.endedBy || 'the code that is called between the tries'} ends the wait for ${key}`, 'Does it end the tries of a worker that is always refused, and after what time?');
  if (retry.pause === 'none' && asksOnce(operation.api)) return violated(subject, retry, 'rush', 'likely', 'Wait between the tries, with a growing pause and a random part.');
  if (retry.pause === 'fixed') return violated(subject, retry, 'inStep', 'possible', 'Let the pause grow from try to try and add a random part.');
  return { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note: 'the tries are limited' }] };
}

function violated({ unit, operation, key }: AcquisitionSubject, retry: Retry, messageId: string, certainty: 'certain' | 'likely' | 'possible', action: string): Outcome {
  return { status: 'violated', certainty, at: retry.at, messageId, data: { key, line: String(unit.placeOf(operation.node).line) }, witness: retry.witness, action };
}

function isForLeaders({ key, operation }: AcquisitionSubject): boolean {
  return /leader|elect|primary|standby|singleton|master/i.test(`${key} ${operation.api}`);
}

/** Commands and functions that answer at once; libraries and `acquire` methods often wait by themselves. */
function asksOnce(api: string): boolean {
  return /^(?:SET NX|SETNX|UPDATE|INSERT|redis script|pg_try_\w+|try\w*)$/.test(api);
}

function unknown(fact: string, question: string, configKey?: string): Outcome {
  return { status: 'unknown', missing: { fact, question, ...(configKey !== undefined && { configKey }) } };
}
