import { lockOperations } from '../functions/lock-operations.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { transitionCalls } from '../targets/transition-calls.js';
import { pathFinder } from './paths.js';
import type { TransitionSubject } from './transition-subject.js';

/** The writes of step state in a file, and the calls of functions that make one and answer whether it hit. */
export function transitionSubjects(unit: Unit): TransitionSubject[] {
  const calls = transitionCalls(unit);
  const followed = new Set(calls.map((t) => t.write.node));
  // A body in sight says more than the name of a verb.
  const all = [...fileTransitions(unit).transitions.filter((t) => !followed.has(t.write.node)), ...calls];
  if (all.length === 0) return [];
  const finder = pathFinder(unit, lockOperations(unit));
  return all.map((transition) => ({
    kind: 'T', unit, transition, place: unit.placeOf(transition.write.node), answer: () => finder.answer(transition.write.node, transition.write.result),
  }));
}
