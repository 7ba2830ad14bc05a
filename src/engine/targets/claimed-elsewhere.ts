import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import { callTerms } from '../functions/call-terms.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { runsBefore, sameTarget } from './accesses.js';
import { canBeTakenOver, caughtBy, isOnTheWay, mayHit, rowOf, takes, takesUp, writesState } from './claimed-before.js';
import { wholeFunction } from './rivals.js';
import type { Transition } from './transition.js';

/** Functions of other files that win a row. */
const CLAIM_VERB = /^(?:try|mark|claim|start|begin|take|transition|move|advance|acquire|reserve|dequeue|pick|set|update|compare|swap)(?=[A-Z]|$)/;

/**
 * The claim of the row by a function of another file, on the way to a write; none where a write in either file can take the row meanwhile. `here` are the transitions of
 * the write's own file, `transitionsIn` gives those of others.
 */
export function claimedElsewhere(transition: Transition, here: readonly Transition[], transitionsIn: (unit: Unit) => readonly Transition[]): ts.CallExpression | undefined {
  const { unit, write, grade } = transition;
  const { ts } = unit;
  const row = rowOf(write);
  const fn = enclosingFunction(unit, write.node);
  if (transition.protectedBy !== undefined || grade.to === 'unknown' || typeof grade.grade !== 'number' || grade.grade >= 4) return undefined;
  if (row === undefined || ts.isSourceFile(fn) || caughtBy(unit, write.node) !== undefined) return undefined;
  let found: ts.CallExpression | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined || n.pos >= write.node.pos) return;
    if (ts.isCallExpression(n) && n.end <= write.node.pos + 1 && n.arguments.length > 0 && CLAIM_VERB.test(calledName(unit, n)) && claimsRow(n)) found = n;
    else ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;

  function claimsRow(call: ts.CallExpression): boolean {
    if (ts.isExpressionStatement(wholeValue(unit, call).parent) || !runsBefore(unit, call, write.node) || !isOnTheWay(unit, call, write.node)) return false;
    const called = calledFunction(unit, call);
    if (called === undefined || called.unit === unit) return false;
    const there = transitionsIn(called.unit);
    const [claim, ...more] = there.filter((t) => t.fn === called.fn);
    if (claim === undefined || more.length > 0 || !wins(claim) || !sameTarget(claim.write, write)) return false;
    const named = rowOf(claim.write);
    const handed = named && callTerms(unit, call, called)?.inCaller(named);
    if (handed === undefined || row === undefined || !sameTerm(handed, row)) return false;
    const own = wholeFunction(unit, write.node);
    const takenHere = here.some((t) => sameTarget(t.write, write) && wholeFunction(unit, t.write.node) !== own && t.write.verb !== 'delete' && writesState(t, claim) && mayHit(t.grade, claim.grade));
    return !takenHere && !there.some((t) => t !== claim && sameTarget(t.write, claim.write) && takes(called.unit, t, claim, [claim]));
  }
}

function wins({ grade, write }: Transition): boolean {
  return typeof grade.grade === 'number' && grade.grade >= 4 && takesUp(grade) && !canBeTakenOver(write);
}
