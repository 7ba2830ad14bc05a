import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import { evaluatedAt } from './evaluated.js';
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
  for (const node of fileNodes(unit).evaluations) {
    const { sql, orm } = evaluatedAt(unit, node);
    const access = (ts.isCallExpression(node) ? modelledWrite(unit, node) : undefined) ?? sql ?? orm;
    if (access !== undefined) found.push(access);
  }
  known.set(unit, found);
  return found;
}
