import type ts from 'typescript';
import { callersOf } from '../functions/callers.js';
import { programCallers } from '../functions/program-callers.js';
import { messageCall } from '../operations/message-call.js';
import { enclosingFunction, isAwaited, isFunctionWithBody, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { isStartedElsewhere, startsUp, type Actor, type Reach } from '../targets/actor.js';
import { claimedByCallers } from '../targets/claimed-elsewhere.js';
import { fileTransitions } from '../targets/file-transitions.js';
import type { Grade } from '../targets/grade.js';
import { whereTwinWaits } from '../targets/twin-waits.js';
import { wholeFunction } from '../targets/rivals.js';
import { effectAfter, writesTheSame } from '../targets/same-again.js';
import { givesUpAtOnce, isExit, onlyLookupsFail } from '../targets/short-window.js';
import { isSetAnewByCallers } from '../targets/set-anew.js';
import { statementsAfter } from '../targets/statements-after.js';
import { isNeedless, isWaiting, stateWord } from '../targets/step-words.js';
import { isServedByOneObject } from '../targets/one-object.js';
import { isInFlightIn } from '../targets/told-targets.js';
import type { Transition } from '../targets/transition.js';
import type { Writer } from '../targets/writers.js';

/**
 * Why it is not proven that a second run of the same code does harm. `end`: where that run can end the row otherwise. Undefined where nothing speaks against it.
 */
export function doubtOfRun(transition: Transition, actor: Actor, end: Writer | undefined, reach: Reach): string | undefined {
  const { unit, write, kind, grade } = transition;
  if (actor.kind === 'unknown' && isReachedFromElsewhere(transition, reach)) return 'what enters this code a second time for the same row is not in sight';
  if (actor.kind === 'unknown' && !isExit(unit, write.node) && hasOpenEnd(unit, write.node)) return undefined;
  const claimed = doubtOfClaimed(transition);
  if (claimed !== undefined) return claimed;
  if (kind === 'claim' && isDeduplicated(unit, write.node)) return 'the work after it carries a key by which a second one is told, and what is done then is not in sight';
  if ((kind === 'finish' || (kind === 'progress' && !isTakenUp(grade))) && end !== undefined && endsAlike(grade, end)) return 'two runs of one input end alike unless one of them fails, and what else is lost is not in sight';
  if (end === undefined && grade.to === 'unknown' && countsUp(write)) return 'the store counts a version up in this write, and who compares it is not in sight';
  if (whereTwinWaits(transition) !== undefined) return 'a second run waits in its transaction for a row that this one writes first, and who else comes between is not in sight';
  if (isServedByOneObject(transition)) return 'a flag of its object lets one run at a time in, and whether another object has the same row is not in sight';
  // What is put back once more may have been taken up since.
  if (kind === 'claim' || end !== undefined || isTakenUp(grade) || !writesTheSame(unit, write)) return undefined;
  return effectAfter(unit, write.node, fileTransitions(unit).accesses) === undefined ? 'a second run puts the same values, and who puts others meanwhile is not in sight' : undefined;
}

/** Why two ends of one work are not proven to meet: who does it has won the row before. */
export function doubtOfClaimed(transition: Transition): string | undefined {
  const isClaimed = claimedByCallers(transition, { transitionsIn: (of) => fileTransitions(of).transitions, accessesIn: (of) => fileTransitions(of).accesses });
  return isClaimed ? 'a claim before it lets one run pass, here or in its callers, and who else takes the row is not in sight' : undefined;
}

/** `SET state = $2, revision = revision + 1`: whoever reads the row again can tell that it has moved. */
function countsUp({ set }: Transition['write']): boolean {
  return set.some((a) => a.source === 'old-value' && VERSION.test(a.column));
}

const VERSION = /(?:^|[._])(?:row_?)?(?:version|revision|rev|lock_?version|etag)(?:_?(?:no|number|count))?$/i;

/** Neither end is a failure, which comes by chance; or this one found that there is nothing to do, as another run of the same input finds. */
function endsAlike({ to }: Grade, end: Writer): boolean {
  if (to === 'unknown' || end.to === 'unknown' || to.some(isFailed)) return false;
  return to.every(isNeedless) || !end.to.some(isFailed);
}

function isFailed(state: string): boolean {
  return GIVEN_UP.test(stateWord(state));
}

/**
 * Why a message of another system that comes late is not proven to undo anything: `isByTheirId`: it finds the row by an id of that system. What that system gave up it gives
 * another id when it tries again, so that nothing of this id comes after the failure.
 */
export function doubtOfLate({ grade: { to } }: Transition, isByTheirId: boolean): string | undefined {
  return isByTheirId && to !== 'unknown' && to.every(isFailed) ? 'whether the other system can say anything of this id after its failure' : undefined;
}

const GIVEN_UP = /^(?:fail|err|reject|return|crash|dead|bounce|chargeback|dispute)/;

/** Why nobody is proven to come between the read and the write of code that gives up at once. A cancel is sent while the work goes on, and meets its end. */
export function doubtOfWindow(transition: Transition, actor: Actor): string | undefined {
  const { unit } = transition;
  if (actor.kind === 'cancel') return undefined;
  const read = givesUpAtOnce(transition);
  return read === undefined ? undefined : `who comes between it and the read on line ${String(unit.placeOf(read).line)}, a query before, is not in sight`;
}

/** Why nobody is proven to come between a read and a write that a store of this process answers on the spot: an embedded SQLite, the storage of a Durable Object. */
export function doubtOfOneGo({ unit, write, readBefore }: Transition): string | undefined {
  if (readBefore === undefined || isAwaited(unit, readBefore.node) || isAwaited(unit, write.node)) return undefined;
  const fn = enclosingFunction(unit, write.node);
  // A generator waits wherever it yields.
  if (enclosingFunction(unit, readBefore.node) !== fn || unit.ts.isSourceFile(fn) || fn.asteriskToken !== undefined) return undefined;
  const waits = (n: ts.Node): boolean => (unit.ts.isAwaitExpression(n) && n.end > readBefore.node.end && n.pos < write.node.pos) || unit.ts.forEachChild(n, waits) === true;
  return unit.ts.forEachChild(fn, waits) === true ? undefined : 'read and write are done without a wait between them, and whether another process has the store is not in sight';
}

/** Why nobody else is proven to come in where a failed read alone leads: no work was done by then. A run that is over long since is another matter. */
export function doubtOfFailedLookup({ unit, write }: Transition): string | undefined {
  return onlyLookupsFail(unit, write.node) ? 'nothing but a read that fails leads here, and who comes between is not in sight' : undefined;
}

/** Why what a write undoes is not proven to be missed: somebody told it to, whatever the row was at. He takes the row away, or sends for its work anew. */
export function doubtOfCommand({ unit, write, grade: { to, grade }, readBefore }: Transition, { kind }: Actor): string | undefined {
  if ((kind !== 'http' && kind !== 'cancel') || to === 'unknown' || to.length === 0 || typeof grade !== 'number' || grade >= 3) return undefined;
  if (to.every((t) => REMOVED.test(stateWord(t)))) return 'a removal is meant to win over what others write, and what is lost by it is not in sight';
  // A list that is gone through was asked for by state, its rows were not.
  if (readBefore?.single === true || !to.every(isWaiting)) return undefined;
  return statementsAfter(unit, write.node).some((s) => sendsJob(unit, s)) ? 'its work is sent for anew right after, whatever the row was at, and what is lost by it is not in sight' : undefined;
}

function sendsJob(unit: Unit, node: ts.Node): boolean {
  return (unit.ts.isCallExpression(node) && messageCall(unit, node)?.kind === 'job') || unit.ts.forEachChild(node, (child) => sendsJob(unit, child)) === true;
}

const REMOVED = /^(?:deleted|removed|trashed|purged|archived)$/;

/** Why nobody is proven to be at work when a write is made: its process only starts, or nothing in its file calls it and nobody else can. */
export function doubtOfEntry({ unit, write }: Transition): string | undefined {
  const fn = wholeFunction(unit, write.node);
  if (unit.ts.isSourceFile(fn)) return undefined;
  if (startsUp(unit, fn)) return 'it runs when its process starts, and whether another one is at work on the row then is not in sight';
  if (unit.ts.isMethodDeclaration(fn)) return isInjected(unit, fn) && isCalledByNobody(unit, fn) ? 'nothing calls this code' : undefined;
  // A member of an object that is given away is called by whoever gets it.
  if (!unit.ts.isFunctionDeclaration(fn) && !unit.ts.isVariableDeclaration(fn.parent)) return undefined;
  const { calls, exported, passedOn } = callersOf(unit, fn);
  return calls.length === 0 && !exported && !passedOn ? 'nothing calls this code' : undefined;
}

/** Nest makes it, so that only code in sight gets it, and no decorator of the method says who else calls it. */
function isInjected({ ts }: Unit, method: ts.MethodDeclaration): boolean {
  const decorators = ts.isClassDeclaration(method.parent) ? ts.getDecorators(method.parent) ?? [] : [];
  return decorators.some((d) => /^@Injectable\b/.test(d.getText())) && (ts.getDecorators(method) ?? []).length === 0 && !ts.isPrivateIdentifier(method.name);
}

function isCalledByNobody(unit: Unit, fn: ts.MethodDeclaration): boolean {
  const { calls, values, unseen } = programCallers(unit, fn);
  return calls.length === 0 && values.length === 0 && unseen === undefined;
}

/** Why nothing is proven to be lost by a write whose callers set the same columns again. */
export function doubtOfSetAnew(transition: Transition): string | undefined {
  return isSetAnewByCallers(transition) ? 'its callers set the same anew right after, and who loses by this write alone is not in sight' : undefined;
}

/** Others go on from the state that is written. */
function isTakenUp({ to, told }: Grade): boolean {
  return to === 'unknown' || to.some((t) => isInFlightIn(told, t) || isWaiting(t));
}

/** A helper of a helper is too far from its open end for that end to say anything of it. */
const OPEN_WITHIN = 2;

/** What nobody calls in sight may be followed by anything, and so may what only such functions call. */
function hasOpenEnd(unit: Unit, node: ts.Node, seen: Set<ts.Node> = new Set()): boolean {
  const fn = wholeFunction(unit, node);
  if (unit.ts.isSourceFile(fn) || !isFunctionWithBody(unit, fn)) return seen.size === 0;
  if (seen.has(fn) || seen.size === OPEN_WITHIN) return false;
  seen.add(fn);
  const { calls } = programCallers(unit, fn);
  return calls.length === 0 || calls.some((call) => hasOpenEnd(call.unit, call.call, seen));
}

/** `start({ .., idempotencyKey })` */
function isDeduplicated(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  const isKey = (n: ts.Node): boolean => ((ts.isPropertyAssignment(n) || ts.isShorthandPropertyAssignment(n)) && /^(?:idempotency|dedup\w*)_?(?:key|id|token)$/i.test(nameText(unit, n.name))) || ts.forEachChild(n, isKey) === true;
  return statementsAfter(unit, node).some(isKey);
}

/** Its callers are in sight, through other files too, or it is a function inside of a run, and nothing says how it is entered. What nobody calls in sight is there for everybody. */
function isReachedFromElsewhere({ unit, write }: Transition, reach: Reach): boolean {
  return reach === 'program' && isStartedElsewhere({ unit, node: write.node });
}
