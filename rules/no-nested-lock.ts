import type { NestedLock } from '../src/engine/judge/nested-locks.js';
import type { Certainty, Outcome } from '../src/engine/judge/outcome.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'no-nested-lock',
  skill: 'F1',
  dimension: 'D4',
  subjects: ['A'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A lock is not taken again by its own holder, and two locks are always taken in one order.',
  messages: {
    itself: 'This takes {{inner}} while its own caller holds it (line {{outerLine}}): it is refused by itself, or waits until the TTL frees the lock under the work. Hand the lock on, or split off the part that needs none.',
    crossed: 'This takes {{inner}} under {{outer}} (line {{outerLine}}), line {{otherLine}} the other way round: two workers that meet hold one each and wait for the other\'s. Take them in one order everywhere.',
    swapped: 'This takes {{inner}} under {{outer}} (line {{outerLine}}) in the order of the arguments: a worker called with the two swapped holds the second and waits for the first. Sort the keys before the first acquire.',
  },
  validation: ['V1'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: AcquisitionSubject): Outcome {
  const { operation, unit, key, claim } = subject;
  if (claim || operation.scope === 'transaction') return { status: 'not-applicable' };
  const nested = subject.nested();
  if (nested === undefined) return { status: 'not-applicable' };
  if (nested === 'fine') return { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note: 'the locks in sight that are held together are others, taken in one order' }] };
  if (nested === 'counted') return { status: 'unknown', missing: { fact: `whether the holder of ${key} may take it again`, question: 'Does this lock count how often its own holder takes it, or does it refuse the second time?' } };
  return {
    status: 'violated', certainty: certaintyOf(subject, nested), at: nested.at, messageId: nested.kind,
    data: { inner: nested.innerKey, outer: nested.outerKey, outerLine: String(nested.outerLine), otherLine: String(nested.otherLine) },
    witness: nested.witness, action: ACTIONS[nested.kind],
  };
}

const ACTIONS: Readonly<Record<NestedLock['kind'], string>> = {
  itself: 'Let the inner function take the held lock as an argument, or move what needs no lock of its own into a function without one.',
  crossed: 'Choose one order for the two locks and take them so in both functions.',
  swapped: 'Sort the two keys, and take the smaller one first.',
};

function certaintyOf({ operation, plainlyLock }: AcquisitionSubject, { kind, waits }: NestedLock): Certainty {
  if (kind === 'itself') return plainlyLock && operation.evidence !== 'name' ? 'certain' : 'likely';
  // Two that are refused at once let go again, and try once more.
  return waits ? 'likely' : 'possible';
}
