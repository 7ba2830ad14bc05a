import { lockOperations } from '../functions/lock-operations.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { Term } from '../syntax/term.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { lockedWriters, type LockedWriter } from '../targets/locked-writers.js';
import { requiredCalls } from '../targets/required-calls.js';
import type { Transition } from '../targets/transition.js';
import { transitionCalls } from '../targets/transition-calls.js';
import { lockOfWrite, type LockOfWrite } from './lock-of-write.js';
import { pathFinder } from './paths.js';
import type { TransitionSubject } from './transition-subject.js';

/**
 * The writes of step state in a file, the calls of functions that make one and answer whether it hit, and the calls of functions that ask for a lock. `elsewhere`: writers
 * of other files that hold a lock of the row.
 */
export function transitionSubjects(unit: Unit, elsewhere: readonly LockedWriter[]): TransitionSubject[] {
  const calls = transitionCalls(unit);
  const required = requiredCalls(unit);
  const followed = new Set([...calls, ...required.map((r) => r.transition)].map((t) => t.write.node));
  // A body in sight says more than the name of a verb.
  const writes = fileTransitions(unit).transitions.filter((t) => !followed.has(t.write.node));
  if (writes.length === 0 && followed.size === 0) return [];
  const writers = [...lockedWriters(unit), ...elsewhere];
  const finder = pathFinder(unit, lockOperations(unit));
  const asked = new Set(required.map((r) => r.transition.write.node));
  return [
    ...[...writes, ...calls.filter((t) => !asked.has(t.write.node))].map((t) => subject(t, false)),
    ...required.map(({ transition, identity }) => subject(transition, true, identity)),
  ];

  function subject(transition: Transition, asksForLock: boolean, identity?: readonly Term[]): TransitionSubject {
    const { write } = transition;
    let lock: LockOfWrite | undefined;
    return {
      kind: 'T', unit, transition, asksForLock, place: unit.placeOf(write.node),
      answer: () => finder.answer(write.node, write.result),
      triedLocks: () => lockOperations(unit).filter((o) => o.kind === 'acquire' && o.scope === 'manual' && o.node.end <= write.node.pos && enclosingFunction(unit, o.node) === transition.fn).map((o) => o.node),
      lock: () => (lock ??= lockOfWrite(transition, writers, identity)),
    };
  }
}
