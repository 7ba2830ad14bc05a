import type ts from 'typescript';
import type { ColumnAssignment } from '../operations/state-access.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { sameColumn } from './accesses.js';
import type { Transition } from './transition.js';

/**
 * Whether a value that was computed from the old one puts away what the other write puts. Who writes other columns loses nothing, and neither does who changes only members
 * that this one sets as well: `{ ...old, cron }` over `{ ...old, cron }` is the order of the two and no loss.
 */
export function losesValueOf(own: Transition, other: Transition): boolean {
  if (own.gate.kind !== 'read-modify-write' || own.write.setOpen || other.write.setOpen) return true;
  return own.write.set.some((a) => other.write.set.some((b) => sameColumn(a.column, b.column) && !BOOKKEEPING.test(a.column) && !coversMembers(own.unit, a, other.unit, b)));
}

/** Every write puts them, and nobody misses the earlier one. */
const BOOKKEEPING = /(?:^|[._])(?:last_?)?(?:updated|modified|changed|touched)_?(?:at|on|by|date|time)$/i;

function coversMembers(unit: Unit, a: ColumnAssignment, otherUnit: Unit, b: ColumnAssignment): boolean {
  const [ours, theirs] = [membersOf(unit, a.node), membersOf(otherUnit, b.node)];
  return ours !== undefined && theirs !== undefined && theirs.every((name) => ours.includes(name));
}

/** The members that `{ ...old, a, b: c }` sets; undefined for any other value, and where some have no name in sight. */
function membersOf(unit: Unit, node: ts.Expression | undefined): readonly string[] | undefined {
  const { ts } = unit;
  const e = node && bare(unit, node);
  if (e === undefined || !ts.isObjectLiteralExpression(e) || !e.properties.some((p) => ts.isSpreadAssignment(p))) return undefined;
  const names: string[] = [];
  for (const p of e.properties) {
    if (ts.isSpreadAssignment(p)) continue;
    if (p.name === undefined || ts.isComputedPropertyName(p.name)) return undefined;
    names.push(p.name.text);
  }
  return names;
}
