import type ts from 'typescript';
import type { StateAccess, StateWrite } from '../operations/state-access.js';
import type { Unit } from '../syntax/unit.js';
import { runsBefore, sameColumn } from './accesses.js';
import { canBeTakenOver, isOnTheWay } from './claimed-before.js';
import { isReachedByMiss } from './hit-only.js';

/**
 * A guarded write on the way to a node that one run alone gets past, of whatever row: `updateMany({ where: { id, convertedAt: null }, data: { convertedAt: now } })`, and who
 * misses leaves. A second run of the same code stops there.
 */
export function onceGate(unit: Unit, node: ts.Node, accesses: readonly StateAccess[]): StateWrite | undefined {
  return accesses.find((a): a is StateWrite => a.kind === 'write' && a.node !== node && isFlip(a) && runsBefore(unit, a.node, node) && isOnTheWay(unit, a.node, node) && !isReachedByMiss(unit, a, node));
}

/** It asks for the column to be unset, or to hold one value, and puts another, so that it hits once; and it answers whether it did. */
function isFlip(write: StateWrite): boolean {
  const { where, set, result, verb } = write;
  return verb === 'update' && (result.lost.length > 0 || result.throwsWhenLost) && !canBeTakenOver(write)
    && where.some((c) => !c.mayBeAbsent && (c.op === 'is-null' || (c.op === 'eq' && isConstant(c.values[0]))) && set.some((a) => sameColumn(a.column, c.column)));
}

function isConstant(value: StateWrite['where'][number]['values'][number] | undefined): boolean {
  return value?.kind === 'const';
}
