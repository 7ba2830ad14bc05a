import { answersRequest, calledName } from '../flow/call-words.js';
import { leaves } from '../syntax/plain-statements.js';
import { enclosingFunction, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type ts from 'typescript';
import { sameTarget, within } from './accesses.js';
import { awaitedCalls } from './awaited-calls.js';
import { caughtBy } from './claimed-before.js';
import { fileTransitions } from './file-transitions.js';
import { wholeFunction } from './rivals.js';
import type { Transition } from './transition.js';

/**
 * A write that gives a piece of work up right after its row was read and its state asked for: between the two stand nothing but reads, and the function is left after it. Who
 * wants to come in between has a query's time. Undefined where there is more between them, or where nothing asks for the state.
 */
export function givesUpAtOnce({ unit, write, reads, gate, onError, kind }: Transition): ts.Node | undefined {
  const { ts } = unit;
  const read = reads.filter((r) => r.single).at(-1);
  if (kind !== 'finish' || onError || read === undefined || !gate.signals.includes('S8') || !isExit(unit, write.node)) return undefined;
  const fn = wholeFunction(unit, write.node);
  if (ts.isSourceFile(fn) || wholeFunction(unit, read.node) !== fn) return undefined;
  const between = awaitedCalls(unit, fn).filter((c) => c.pos >= read.node.end && c.end <= write.node.pos && !isOnAnotherWay(unit, c, write.node));
  const isOwn = (c: ts.Node): boolean => fileTransitions(unit).accesses.some((a) => a.kind === 'write' && a.node === c && sameTarget(a, write));
  return between.every((c) => isOwn(c) || isLookup(unit, c)) ? read.node : undefined;
}

/**
 * The node is run for the errors of a block that waits for nothing but reads: a store that does not answer leads there, and no work was done by then that somebody could have come
 * into. What the block catches itself does not lead there.
 */
export function onlyLookupsFail(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  const block = caughtBy(unit, node);
  const fn = block && enclosingFunction(unit, block);
  if (block === undefined || fn === undefined) return false;
  const leading = awaitedCalls(unit, fn).filter((c) => within(c, block) && !isCaughtWithin(unit, c, block));
  return leading.length > 0 && leading.every((c) => isLookup(unit, c) || (ts.isCallExpression(c) && answersRequest(unit, c)));
}

/** In a `try` inside of the block whose errors go no further. */
function isCaughtWithin({ ts }: Unit, node: ts.Node, block: ts.Block): boolean {
  for (let n = node; n !== block && n.parent; n = n.parent) {
    const p = n.parent;
    if (ts.isTryStatement(p) && p.tryBlock === n && p.catchClause !== undefined && !throwsOn(p.catchClause.block)) return true;
  }
  return false;

  function throwsOn(n: ts.Node): boolean {
    return ts.isThrowStatement(n) || ts.forEachChild(n, throwsOn) === true;
  }
}

function isLookup(unit: Unit, call: ts.Node): boolean {
  return fileTransitions(unit).accesses.some((a) => a.kind === 'read' && within(call, a.node)) || READS.test(calledName(unit, call));
}

const READS = /^(?:get|find|load|read|list|select|count|is|has|check|exists)(?:[A-Z_]\w*)?$/;

/** In a branch that leaves after it. */
export function isExit(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  const fn = wholeFunction(unit, node);
  for (let n: ts.Node = wholeValue(unit, node as ts.Expression); n !== fn && n.parent; n = n.parent) {
    if (ts.isIterationStatement(n, false) || ts.isCatchClause(n)) return false;
    if (ts.isIfStatement(n.parent) && n.parent.expression !== n) return leaves(unit, n as ts.Statement);
  }
  return false;
}

/** In a branch that does not lead to the node. */
function isOnAnotherWay({ ts }: Unit, call: ts.Node, node: ts.Node): boolean {
  for (let n = call; n.parent && !within(node, n.parent); n = n.parent) {
    if (ts.isIfStatement(n.parent) && n.parent.expression !== n && !within(node, n.parent)) return true;
  }
  return false;
}
