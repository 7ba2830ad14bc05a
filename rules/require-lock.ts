import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { Subject } from '../src/engine/judge/subject.js';
import type { LockOfWrite } from '../src/engine/judge/lock-of-write.js';
import { BY_THE_STORE, type TransitionSubject } from '../src/engine/judge/transition-subject.js';
import type { WitnessStep } from '../src/engine/place.js';

const rule: RuleDefinition = {
  id: 'require-lock',
  skill: 'R1',
  dimension: 'D1',
  subjects: ['T'],
  family: 'state',
  profile: 'recommended',
  summary: 'A write of step state must hold the lock that the other writers of that state hold.',
  messages: {
    unlocked: '{{target}} is written without a lock and without a guard, while {{rival}} holds {{key}} and is in the middle of its step when this one strikes. Take the same lock.',
    other: '{{target}} is written under {{held}}, which is the lock of something else; {{rival}} holds {{key}} at the same time. Lock the row that is written.',
    required: '{{callee}} asks for a lock of the row it writes, and none is held here: a worker that holds it is in the middle of its step when this call strikes. Take the lock first.',
  },
  validation: ['V1'],
  judge: (subject: Subject) => (subject.kind === 'T' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: TransitionSubject): Outcome {
  const { unit, transition, asksForLock } = subject;
  const { write, protectedBy, foreign } = transition;
  if (write.verb === 'delete' || (transition.through !== undefined && asksForLock === false)) return { status: 'not-applicable' };
  const lock = subject.lock();
  // Calls of a function that asks for a lock are judged, not its write; so are the unlocked ones where other calls hold it.
  if (lock.says !== undefined || lock.cover === 'partly') return { status: 'not-applicable' };
  if (lock.cover === 'covered' && lock.held !== undefined) return { status: 'verified', evidence: [{ place: lock.held.place, note: `${lock.held.key} is held` }] };
  if (lock.cover === 'by-callers' && lock.held !== undefined) return { status: 'verified', evidence: [{ place: lock.held.place, note: `every caller holds ${lock.held.key}` }] };
  if (asksForLock !== 'by-tag' && protectedBy !== undefined && BY_THE_STORE.has(protectedBy.kind)) {
    return { status: 'verified', evidence: [{ place: unit.placeOf(protectedBy.at), note: 'the store locks the row' }] };
  }
  const serial = subject.serial();
  if (asksForLock !== 'by-tag' && serial?.kind === 'alone') return { status: 'verified', evidence: [{ place: serial.at, note: `all writers run in this ${serial.engine}, one at a time for each key` }] };
  if (asksForLock !== 'by-tag' && serial?.kind === 'perhaps') return unknown(subject, `${serial.missing}: all writers run in one ${serial.engine}`);
  if (lock.cover === 'undecided') return unknown(subject, `whether ${lock.held?.key ?? 'the lock'} is the lock of the row`);
  if (asksForLock === 'by-tag') return violated(subject, lock, 'required');
  if (lock.lockedWriter === undefined || foreign !== undefined || protectedBy !== undefined || isGuarded(subject)) return unknown(subject, isGuarded(subject) ? 'whether a lock is held: the write has a guard only' : `whether a caller holds a lock${lock.unseen === undefined ? '' : `: ${lock.unseen}`}`);
  return violated(subject, lock, lock.cover === 'misses' ? 'other' : 'unlocked');
}

/** A guard of its own, or one that cannot be read: then the second line stands alone, which only the strict reading minds. */
function isGuarded({ transition: { grade, write } }: TransitionSubject): boolean {
  return grade.grade === 'unknown' || write.verb === 'verb' || grade.grade >= 4 || (grade.grade === 3 && grade.excludesTerminal !== false);
}

function violated(subject: TransitionSubject, lock: LockOfWrite, messageId: 'unlocked' | 'other' | 'required'): Outcome {
  const { place, transition: { write, through } } = subject;
  const { lockedWriter, held } = lock;
  const first: WitnessStep[] = held === undefined ? [] : [{ place: held.place, role: 'acquire', note: 'takes another lock' }];
  const rival: WitnessStep[] = lockedWriter === undefined ? [] : [{ place: lockedWriter.place, role: 'enter', note: `the second writer, which holds the lock: ${lockedWriter.who}` }];
  return {
    status: 'violated',
    certainty: lock.callersSeen || (messageId === 'other' && write.evidence !== 'name') ? 'certain' : 'likely',
    at: place,
    messageId,
    data: { target: write.target === undefined ? 'The row' : quoted(write.target, 30), rival: lockedWriter?.who ?? 'another writer', key: quoted(lockedWriter?.key ?? '', 26), held: quoted(held?.key ?? '', 30), callee: quoted(through ?? '', 30) },
    witness: [...first, { place, role: through === undefined ? 'write' : 'call', note: 'no lock of the row is held' }, ...rival],
    ...(lockedWriter !== undefined && { conflictsWith: lockedWriter.site }),
    action: 'Take the lock of the row before, and write only when it was acquired.',
  };
}

function unknown({ transition: { write } }: TransitionSubject, fact: string): Outcome {
  return { status: 'unknown', missing: { fact: `${fact} (write of ${write.target ?? 'the row'})`, question: `Does every caller hold the lock of ${write.target ?? 'the row'} here?` } };
}
