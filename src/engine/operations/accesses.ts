import type ts from 'typescript';
import type { Unit } from '../syntax/unit.js';
import { ormAccess } from './access-orm.js';
import { sqlAccess } from './access-sql.js';
import { modelledWrite } from './modelled-write.js';
import type { StateAccess } from './state-access.js';
import { Kept } from '../kept.js';

const known = new Kept<Unit, readonly StateAccess[]>();

/** All evaluations of a file that read or write rows or open a transaction, in the order of the text. */
export function accessesOf(unit: Unit): readonly StateAccess[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const { ts } = unit;
  const found: StateAccess[] = [];
  const walk = (node: ts.Node): void => {
    const access = ts.isCallExpression(node) ? (modelledWrite(unit, node) ?? sqlAccess(unit, node) ?? ormAccess(unit, node)) : ts.isTaggedTemplateExpression(node) ? sqlAccess(unit, node) : undefined;
    if (access !== undefined) found.push(access);
    ts.forEachChild(node, walk);
  };
  walk(unit.file);
  known.set(unit, found);
  return found;
}
