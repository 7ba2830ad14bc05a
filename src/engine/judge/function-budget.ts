import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import { Kept } from '../kept.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from '../targets/file-transitions.js';
import type { Outcome } from './outcome.js';
import type { Subject } from './subject.js';

/**
 * The most that the locks and state writes of one function may cost: each is followed through the whole function, so that their number times its length in characters is counted.
 * It is a property of the text alone, so that the answer is the same in every run, in the editor and in the audit.
 */
export const FUNCTION_BUDGET = 1_000_000;

/** What is said of each of them in a larger one: nothing is guessed from its beginning. */
export const TOO_LARGE: Outcome = {
  status: 'unknown',
  missing: { fact: 'what happens before and after it: the function is too large to be followed to its end', question: 'Can the function be split, so that each lock or write stands in one of its own?' },
};

/** Whether the function that a subject stands in has too many of them for its size. */
export function isTooLarge(subject: Subject): boolean {
  const node = nodeOf(subject);
  if (node === undefined) return false;
  const { unit } = subject;
  let counts = known.get(unit);
  if (counts === undefined) {
    counts = countByFunction(unit);
    known.set(unit, counts);
  }
  const fn = enclosingFunction(unit, node);
  return (counts.get(fn) ?? 0) * (fn.end - fn.pos) > FUNCTION_BUDGET;
}

const known = new Kept<Unit, ReadonlyMap<ts.Node, number>>();

/** Other subjects are judged by what stands around them. */
function nodeOf(subject: Subject): ts.Node | undefined {
  if (subject.kind === 'T') return subject.transition.write.node;
  return subject.kind === 'A' || subject.kind === 'L' || subject.kind === 'E' ? subject.operation.node : undefined;
}

function countByFunction(unit: Unit): ReadonlyMap<ts.Node, number> {
  const counts = new Map<ts.Node, number>();
  for (const node of [...lockOperations(unit).map((o) => o.node), ...fileTransitions(unit).transitions.map((t) => t.write.node)]) {
    const fn = enclosingFunction(unit, node);
    counts.set(fn, (counts.get(fn) ?? 0) + 1);
  }
  return counts;
}
