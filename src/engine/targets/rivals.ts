import type ts from 'typescript';
import type { StateWrite } from '../operations/state-access.js';
import { enclosingFunction, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { sameColumn } from './accesses.js';
import { areAlternatives } from './alternatives.js';
import { accepts, movesAway, shareColumn } from './can-meet.js';
import type { Gate } from './gate.js';
import type { Grade } from './grade.js';
import { areInTurn, serialEngineOf } from './serial-engine.js';
import { stateWord } from './step-words.js';
import { isTerminalIn } from './told-targets.js';
import { Kept } from '../kept.js';

/** A write with what the engine makes of it. */
export interface JudgedWrite {
  readonly write: StateWrite;
  readonly gate: Gate;
  readonly grade: Grade;
}

/**
 * Another function's write that this one undoes: of a final state first, else any. `expected`: the states the row is in before, where they are known. `makesItsRow`: what
 * writes only rows that it has just made meets nobody at work, and is named where there is nobody else.
 */
export function rivalOf(unit: Unit, own: JudgedWrite, others: readonly JudgedWrite[], expected: readonly string[] | undefined, makesItsRow: (r: JudgedWrite) => boolean): JudgedWrite | undefined {
  const fn = wholeFunction(unit, own.write.node);
  const engine = serialEngineOf(unit, own.write.node);
  const elsewhere = others.filter((r) => competes(r, own) && accepts(r.grade.from, expected) && wholeFunction(unit, r.write.node) !== fn && !areInTurn(serialEngineOf(unit, r.write.node), engine)
    && !areAlternatives({ unit, node: r.write.node }, { unit, node: own.write.node }));
  const ends = elsewhere.filter((r) => endsOtherwise(r.grade, own.grade));
  return ends.find((r) => !makesItsRow(r)) ?? elsewhere.find((r) => !makesItsRow(r)) ?? ends[0] ?? elsewhere[0];
}

/** Whether one write leaves a final state that the other one does not. */
export function endsOtherwise({ to, told }: Grade, other: Grade): boolean {
  return to !== 'unknown' && to.some((t) => isTerminalIn(told, t) && (other.to === 'unknown' || !other.to.includes(t)));
}

/**
 * Whether one of the two is decided by somebody who does not do the work: a cancel, an expiry, a timeout. Only such a write is sure to come while a worker is at it;
 * two ends of the same work exclude each other until it is run twice.
 */
export function comesFromOutside(a: Grade, b: Grade): boolean {
  return [a, b].some(({ to }) => to !== 'unknown' && to.length > 0 && to.every((t) => OUTSIDE.has(stateWord(t))));
}

const OUTSIDE = new Set(['cancelled', 'canceled', 'aborted', 'expired', 'timed_out', 'timeout', 'terminated', 'killed', 'stopped', 'rejected', 'dead', 'crashed', 'stalled']);

/** A method that does nothing but this write: who calls it, and under which lock, stands elsewhere. */
export function isStoreMethod(unit: Unit, { node }: StateWrite): boolean {
  const { ts } = unit;
  const fn = enclosingFunction(unit, node);
  if (!ts.isMethodDeclaration(fn)) return false;
  const waits = (n: ts.Node): boolean => (ts.isAwaitExpression(n) && wholeValue(unit, n) !== wholeValue(unit, node)) || ts.forEachChild(n, waits) === true;
  return !waits(fn);
}

/** Whether a write changes what the other one wrote: the same column, and not to the same states. */
function competes(rival: JudgedWrite, { write, gate, grade }: JudgedWrite): boolean {
  if (rival.write.verb === 'delete' || movesAway(rival.write, write, gate)) return false;
  if (gate.kind === 'read-modify-write') return shareColumn(rival.write, write);
  const own = gate.stateColumn;
  // A claim stamp is not undone by who moves the status of the same row.
  if (gate.kind === 'lifecycle' && own !== undefined) return rival.write.setOpen || rival.write.verb === 'persist' || rival.write.set.some((a) => sameColumn(a.column, own));
  if (gate.kind !== 'state' || own === undefined) return true;
  const column = rival.gate.stateColumn;
  if (column === undefined) return rival.write.set.length === 0 && !rival.write.setOpen;
  return sameColumn(column, own) && !leavesTheSame(rival.grade, grade);
}

function leavesTheSame({ to }: Grade, other: Grade): boolean {
  return to !== 'unknown' && other.to !== 'unknown' && to.every((t) => other.to.includes(t));
}

/** The function a node belongs to, out of callbacks whose call is awaited or returned there: `await retry(() => ..)`, `return db.transaction(..)`. */
export function wholeFunction(unit: Unit, node: ts.Node): ts.FunctionLikeDeclaration | ts.SourceFile {
  // Asked for each pair of writers.
  const held = whole.get(node);
  if (held !== undefined) return held;
  const found = findWhole(unit, node);
  whole.set(node, found);
  return found;
}

const whole = new Kept<ts.Node, ts.FunctionLikeDeclaration | ts.SourceFile>();

function findWhole(unit: Unit, node: ts.Node): ts.FunctionLikeDeclaration | ts.SourceFile {
  const { ts } = unit;
  let fn = enclosingFunction(unit, node);
  while (!ts.isSourceFile(fn)) {
    const call = fn.parent;
    if (!(ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) || !ts.isCallExpression(call) || call.expression === fn) return fn;
    const value = wholeValue(unit, call);
    const outer = enclosingFunction(unit, call);
    if (ts.isSourceFile(outer) || !(ts.isAwaitExpression(call.parent) || ts.isAwaitExpression(value) || ts.isReturnStatement(value.parent))) return fn;
    fn = outer;
  }
  return fn;
}
