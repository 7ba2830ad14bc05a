import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import { callTerms } from '../functions/call-terms.js';
import { programCallers } from '../functions/program-callers.js';
import type { StateAccess } from '../operations/state-access.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { isFunctionWithBody, wholeValue } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { runsBefore, sameTarget, within } from './accesses.js';
import { statesExpected } from './can-meet.js';
import { canBeTakenOver, caughtBy, isOnTheWay, mayHit, rowOf, takes, takesUp, writesState } from './claimed-before.js';
import { onceGate } from './once-gate.js';
import { wholeFunction } from './rivals.js';
import type { Transition } from './transition.js';
import { Kept } from '../kept.js';

/** Functions of other files that win a row. */
const CLAIM_VERB = /^(?:try|mark|claim|start|begin|take|transition|move|advance|acquire|reserve|dequeue|pick|set|update|compare|swap)(?=[A-Z]|$)/;

/** The transitions of other files; files may import each other, so it is asked for when needed. */
type TransitionsIn = (unit: Unit) => readonly Transition[];

/** What other files do, asked for when needed as above. */
interface Files {
  readonly transitionsIn: TransitionsIn;
  readonly accessesIn: (unit: Unit) => readonly StateAccess[];
}

/**
 * The claim of the row by a function of another file, on the way to a write; none where a write in either file can take the row meanwhile. `here` are the transitions of
 * the write's own file.
 */
export function claimedElsewhere(transition: Transition, here: readonly Transition[], transitionsIn: TransitionsIn): ts.CallExpression | undefined {
  const { unit, write, fn } = transition;
  const row = rowOf(write);
  if (!isUnguarded(transition) || row === undefined || unit.ts.isSourceFile(fn) || caughtBy(unit, write.node) !== undefined) return undefined;
  return claimCalls(unit, fn).find((call) => {
    if (!runsBefore(unit, call, write.node) || !isOnTheWay(unit, call, write.node)) return false;
    const claimed = claimOf(unit, call, write, transitionsIn);
    if (claimed?.row === undefined || !sameTerm(claimed.row, row)) return false;
    const own = wholeFunction(unit, write.node);
    const takenHere = here.some((t) => sameTarget(t.write, write) && wholeFunction(unit, t.write.node) !== own && t.write.verb !== 'delete' && writesState(t, claimed.claim) && mayHit(t.grade, claimed.claim.grade));
    return !takenHere && !claimed.there.some((t) => t !== claimed.claim && sameTarget(t.write, write) && takes(claimed.claim.unit, t, claimed.claim, [claimed.claim]));
  });
}

/** Whether a write is for an error of a block that claims such a row by a function of another file: the error may come before the claim or after it. */
export function failsAfterClaim(transition: Transition, transitionsIn: TransitionsIn): boolean {
  const { unit, write } = transition;
  const block = isUnguarded(transition) ? caughtBy(unit, write.node) : undefined;
  return block !== undefined && claimCalls(unit, block).some((call) => claimOf(unit, call, write, transitionsIn) !== undefined);
}

/** Callers are looked at this far. */
const LEVELS = 3;

/** Whether all calls that lead to a write, in whatever file, come after a claim of such a row that somebody looks at, or after a gate that lets one run pass: then no second run of this code has the row. */
export function claimedByCallers({ unit, write }: Transition, { transitionsIn, accessesIn }: Files): boolean {
  return isClaimedAt(unit, write.node, LEVELS);

  function isClaimedAt(at: Unit, node: ts.Node, level: number): boolean {
    const fn = wholeFunction(at, node);
    if (at.ts.isSourceFile(fn)) return false;
    if (onceGate(at, node, accessesIn(at)) !== undefined) return true;
    // A claim beside the write itself was looked for before.
    if (claimCalls(at, fn).some((c) => runsBefore(at, c, node) && isOnTheWay(at, c, node) && !isSpoiled(at, node, c) && (insertsOnce(at, c, write) || (node !== write.node && claimOf(at, c, write, transitionsIn, true) !== undefined)))) return true;
    if (level === 0 || !isFunctionWithBody(at, fn)) return false;
    const { calls, unseen } = programCallers(at, fn);
    return unseen === undefined && calls.length > 0 && calls.length <= 8 && calls.every((c) => isClaimedAt(c.unit, c.call, level - 1));
  }
}

function isUnguarded({ protectedBy, grade: { to, grade } }: Transition): boolean {
  return protectedBy === undefined && to !== 'unknown' && typeof grade === 'number' && grade < 4;
}

/** The calls within a node that claim something by their names, and whose answer somebody looks at. */
function claimCalls(unit: Unit, within: ts.Node): readonly ts.CallExpression[] {
  const held = known.get(within);
  if (held !== undefined) return held;
  const { ts } = unit;
  const found: ts.CallExpression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n) && n.arguments.length > 0 && CLAIM_VERB.test(calledName(unit, n)) && !ts.isExpressionStatement(wholeValue(unit, n).parent)) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(within);
  known.set(within, found);
  return found;
}

/** All writes of a function ask. */
const known = new Kept<ts.Node, readonly ts.CallExpression[]>();

interface ClaimedElsewhere { readonly claim: Transition; readonly there: readonly Transition[]; readonly row: Term | undefined }

/** The error that a node is run for may come before the claim. */
function isSpoiled(unit: Unit, node: ts.Node, claim: ts.Node): boolean {
  const block = caughtBy(unit, node);
  return block !== undefined && within(claim, block);
}

/** The claim that a call of a function of another file makes, with the row as it is named here; `orHere`: of this file too. */
function claimOf(unit: Unit, call: ts.CallExpression, write: Transition['write'], transitionsIn: TransitionsIn, orHere = false): ClaimedElsewhere | undefined {
  const called = calledFunction(unit, call);
  if (called === undefined || (called.unit === unit && !orHere)) return undefined;
  const there = transitionsIn(called.unit);
  const [claim, ...more] = there.filter((t) => wholeFunction(called.unit, t.write.node) === called.fn);
  if (claim === undefined || more.length > 0 || !wins(claim) || !sameTarget(claim.write, write)) return undefined;
  const named = rowOf(claim.write);
  return { claim, there, row: named && callTerms(unit, call, called)?.inCaller(named) };
}

/** `create`, and "not the first" where the row is there already: who is told so leaves. */
function insertsOnce(unit: Unit, call: ts.CallExpression, { target }: Transition['write']): boolean {
  const called = target === undefined ? undefined : calledFunction(unit, call);
  if (called === undefined || target === undefined) return false;
  const text = called.fn.getText(called.unit.file);
  return INSERTS.test(text) && IS_THERE.test(text) && new RegExp(`\\b${target.replace(/[^\w]/g, '')}\\b`, 'i').test(text);
}

const INSERTS = /\b(?:create|insert\w*)\s*\(|\bINSERT INTO\b/i;
const IS_THERE = /unique|duplicate|P2002|23505|ER_DUP|onConflictDoNothing|skipDuplicates|ON CONFLICT/i;

/** By its condition, or by a test of the row that it has locked. */
function wins({ unit, grade, write, gate, reads, protectedBy }: Transition): boolean {
  const isGuarded = typeof grade.grade === 'number' && grade.grade >= 4;
  return (isGuarded || (protectedBy?.kind === 'row-lock' && statesExpected(unit, write, gate, reads) !== undefined)) && takesUp(grade) && !canBeTakenOver(write);
}
