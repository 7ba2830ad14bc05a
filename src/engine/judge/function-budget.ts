import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import { Kept } from '../kept.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { Outcome } from './outcome.js';
import type { Subject } from './subject.js';

/**
 * The most that a function's locks may cost: each is followed through the whole function, so that their number times its length in characters is counted. The largest function of
 * forty public code bases needs a tenth of it. It is a property of the text alone, so that the answer is the same in every run, in the editor and in the audit.
 */
export const FUNCTION_BUDGET = 1_000_000;

/** What is said of each lock in such a function: nothing is guessed from its beginning. */
export const TOO_LARGE: Outcome = {
  status: 'unknown',
  missing: { fact: 'what happens around this lock, because the function is too large to be followed to its end', question: 'Can the function be split, so that each lock has one of its own?' },
};

/** Whether the locks of the function that a subject stands in are too many for its size. */
export function isTooLarge(subject: Subject): boolean {
  if (subject.kind !== 'A' && subject.kind !== 'L' && subject.kind !== 'E') return false;
  return locksTimesLength(subject.unit, enclosingFunction(subject.unit, subject.operation.node)) > FUNCTION_BUDGET;
}

const known = new Kept<Unit, ReadonlyMap<ts.Node, number>>();

function locksTimesLength(unit: Unit, fn: ts.Node): number {
  let locks = known.get(unit);
  if (locks === undefined) {
    locks = countByFunction(unit);
    known.set(unit, locks);
  }
  return (locks.get(fn) ?? 0) * (fn.end - fn.pos);
}

function countByFunction(unit: Unit): ReadonlyMap<ts.Node, number> {
  const counts = new Map<ts.Node, number>();
  for (const { node } of lockOperations(unit)) {
    const fn = enclosingFunction(unit, node);
    counts.set(fn, (counts.get(fn) ?? 0) + 1);
  }
  return counts;
}
