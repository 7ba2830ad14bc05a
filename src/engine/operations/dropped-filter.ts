import type ts from 'typescript';
import { bare, enclosingFunction, nameText } from '../syntax/expression.js';
import { leaves } from '../syntax/plain-statements.js';
import type { Unit } from '../syntax/unit.js';
import type { Filter } from './access-orm-filter.js';

/**
 * A filter of a client that leaves out what is `undefined`: a condition on a parameter that callers may leave out, and that the function has not asked for, may be absent.
 */
export function withoutUndefined(unit: Unit, where: ts.Expression, filter: Filter): Filter {
  const { ts } = unit;
  const object = bare(unit, where);
  if (!ts.isObjectLiteralExpression(object)) return filter;
  const dropped = new Set(object.properties.flatMap((p) => {
    const value = ts.isPropertyAssignment(p) ? bare(unit, p.initializer) : ts.isShorthandPropertyAssignment(p) ? p.name : undefined;
    return p.name !== undefined && value !== undefined && ts.isIdentifier(value) && mayBeLeftOut(unit, value) ? [nameText(unit, p.name)] : [];
  }));
  return dropped.size === 0 ? filter : { ...filter, where: filter.where.map((c) => (dropped.has(c.column) ? { ...c, mayBeAbsent: true } : c)) };
}

/** `from?: Status`, used as it came. */
function mayBeLeftOut(unit: Unit, value: ts.Identifier): boolean {
  const { ts } = unit;
  const binding = unit.scopes.resolve(value);
  const d = binding?.declaration;
  if (binding === undefined || d === undefined || !ts.isParameter(d) || d.questionToken === undefined || binding.writes.length > 0) return false;
  const fn = enclosingFunction(unit, value);
  const mentions = (n: ts.Node): boolean => (ts.isIdentifier(n) && n.text === value.text) || ts.forEachChild(n, (c) => (mentions(c) ? true : undefined)) === true;
  // A test around it, or one before it that leaves.
  for (let n: ts.Node = value; n !== fn && n.parent; n = n.parent) {
    const p = n.parent;
    if ((ts.isIfStatement(p) && p.expression !== n && mentions(p.expression)) || (ts.isConditionalExpression(p) && p.condition !== n && mentions(p.condition))) return false;
    if (ts.isBlock(p) && p.statements.some((s) => s.end <= n.pos + 1 && ts.isIfStatement(s) && mentions(s.expression) && leaves(unit, s.thenStatement))) return false;
  }
  return true;
}
