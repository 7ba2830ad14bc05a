import type { StateAccess } from '../operations/state-access.js';
import { calledName } from '../flow/call-words.js';
import { leaves } from '../syntax/plain-statements.js';
import { wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type ts from 'typescript';
import { sameTarget, within } from './accesses.js';
import { awaitedCalls } from './awaited-calls.js';
import { wholeFunction } from './rivals.js';
import type { Transition } from './transition.js';

/**
 * A write that gives a piece of work up right after its row was read and its state asked for: between the two stand nothing but reads, and the function is left after it. Who
 * wants to come in between has a query's time. Undefined where there is more between them, or where nothing asks for the state.
 */
export function givesUpAtOnce({ unit, write, reads, gate, onError, kind }: Transition, accesses: readonly StateAccess[]): ts.Node | undefined {
  const { ts } = unit;
  const read = reads.filter((r) => r.single).at(-1);
  if (kind !== 'finish' || onError || read === undefined || !gate.signals.includes('S8') || !isExit(unit, write.node)) return undefined;
  const fn = wholeFunction(unit, write.node);
  if (ts.isSourceFile(fn) || wholeFunction(unit, read.node) !== fn) return undefined;
  const between = awaitedCalls(unit, fn).filter((c) => c.pos >= read.node.end && c.end <= write.node.pos && !isOnAnotherWay(unit, c, write.node));
  const isQuick = (c: ts.Node): boolean => accesses.some((a) => a.kind === 'read' && within(c, a.node)) || accesses.some((a) => a.kind === 'write' && a.node === c && sameTarget(a, write)) || READS.test(calledName(unit, c));
  return between.every(isQuick) ? read.node : undefined;
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
