import { operations } from '../operations/operations.js';
import { accessesOf } from '../operations/accesses.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { transitionsOf } from '../targets/transition.js';
import { pathFinder } from './paths.js';
import type { TransitionSubject } from './transition-subject.js';

/** The writes of step state in a file. */
export function transitionSubjects(unit: Unit): TransitionSubject[] {
  const accesses = accessesOf(unit);
  if (!accesses.some((a) => a.kind === 'write')) return [];
  const locks = operations(unit);
  const locking = new Set(locks.filter((o) => o.kind === 'acquire').map((o) => enclosingFunction(unit, o.node)));
  const finder = pathFinder(unit, locks);
  return transitionsOf(unit, accesses, (fn) => locking.has(fn)).map((transition) => ({
    kind: 'T', unit, transition, place: unit.placeOf(transition.write.node), answer: () => finder.answer(transition.write.node, transition.write.result),
  }));
}
