import type { Outcome } from '../src/engine/judge/outcome.js';
import { quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { ReleaseSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'no-throwing-release',
  skill: 'R5',
  dimension: 'D4',
  subjects: ['L'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A release that fails must not replace the result or the error of the work.',
  messages: {
    throw: 'When the release of {{key}} fails (line {{line}}), this error takes the place of the work\'s own: finished work looks failed and the next worker repeats it. Log it, or throw only if the work did not.',
    return: 'This return in `finally` replaces what the work under {{key}} returned or threw (line {{line}}): failed work looks done, and no worker runs it again. Return before `finally`.',
    rejects: '{{api}} throws when {{key}} has run out, and in `finally` that replaces the result of finished work: the next worker runs it again. Catch it here and report that the lock was lost.',
  },
  validation: ['V2', 'V3'],
  judge: (subject: Subject) => (subject.kind === 'L' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: ReleaseSubject): Outcome {
  const { operation, unit, key } = subject;
  const found = subject.inFinally();
  if (found === undefined) return { status: 'not-applicable' };
  const place = unit.placeOf(operation.node);
  if (found.kind === 'keeps') return { status: 'verified', evidence: [{ place, note: 'a failed release leaves the result and the error of the work alone' }] };
  const data = { key, line: String(place.line), api: quotedApi(operation.api) };
  if (found.kind === 'replaces') {
    const certain = found.always && operation.evidence !== 'name';
    return { status: 'violated', certainty: certain ? 'certain' : 'likely', at: found.at, messageId: found.by, data, witness: found.witness, action: 'Report the failed release and let the result or error of the work stand.' };
  }
  if (operation.ifNotHeld === 'throws' || found.throwsByItself) {
    const witness = [{ place, role: 'release' as const, note: 'throws when the lock was lost, and nothing catches it' }];
    return { status: 'violated', certainty: 'possible', at: place, messageId: 'rejects', data, witness, action: 'Catch what the release throws, report the lost lock, and let the result of the work stand.' };
  }
  // An outage of the store fails the next step too; a lost lock is the case that only the release sees.
  if (operation.ifNotHeld === 'unknown' || operation.evidence === 'declared' || operation.evidence === 'name') return { status: 'unknown', missing: { fact: `what ${data.api} does when ${key} is not held any more`, question: 'Does this release throw when the lock was lost? Then catch it in `finally`.' } };
  return { status: 'verified', evidence: [{ place, note: 'a lock that was lost is no error to this release' }] };
}
