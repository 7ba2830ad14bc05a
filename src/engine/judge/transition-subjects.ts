import { lockOperations } from '../functions/lock-operations.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { lockedWriters, type LockedWriter } from '../targets/locked-writers.js';
import { requiredCalls, type RequiredCall } from '../targets/required-calls.js';
import type { Transition } from '../targets/transition.js';
import { transitionCalls } from '../targets/transition-calls.js';
import { lockOfWrite, type LockOfWrite } from './lock-of-write.js';
import { pathFinder } from './paths.js';
import type { TransitionSubject } from './transition-subject.js';

/** What other files say of the writes of one. */
export interface FromElsewhere {
  /** Writers of other files that hold a lock of the row. */
  readonly writers: readonly LockedWriter[];
  /** Calls in this file of functions of other files that ask for a lock. */
  readonly required: readonly RequiredCall[];
}

/** The writes of step state in a file, the calls of functions that make one and answer whether it hit, and the calls of functions that ask for a lock. */
export function transitionSubjects(unit: Unit, elsewhere: FromElsewhere): TransitionSubject[] {
  const calls = transitionCalls(unit);
  const required = [...requiredCalls(unit).filter((r) => r.transition.unit === unit), ...elsewhere.required];
  const asked = new Map(required.map((r) => [r.transition.write.node, r]));
  const followed = new Set([...calls.map((t) => t.write.node), ...asked.keys()]);
  // A body in sight says more than the name of a verb.
  const writes = fileTransitions(unit).transitions.filter((t) => !followed.has(t.write.node));
  if (writes.length === 0 && followed.size === 0) return [];
  const writers = [...lockedWriters(unit), ...elsewhere.writers];
  const finder = pathFinder(unit, lockOperations(unit));
  const answering = new Set(calls.map((t) => t.write.node));
  return [
    ...[...writes, ...calls].map((t) => subject(t, asked.get(t.write.node))),
    ...[...asked.values()].filter((r) => !answering.has(r.transition.write.node)).map((r) => subject(r.transition, r)),
  ];

  function subject(transition: Transition, ask: RequiredCall | undefined): TransitionSubject {
    const { write } = transition;
    let lock: LockOfWrite | undefined;
    return {
      kind: 'T', unit, transition, asksForLock: ask?.asks ?? false, place: unit.placeOf(write.node),
      answer: () => finder.answer(write.node, write.result),
      lock: () => (lock ??= lockOfWrite(transition, writers, ask)),
    };
  }
}
