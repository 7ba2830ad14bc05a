import type ts from 'typescript';
import { leaves } from '../syntax/plain-statements.js';
import type { Unit } from '../syntax/unit.js';
import { wholeFunction } from './rivals.js';

/** The statements that run after a node in its function when nothing fails, branches among them; a `return` ends them. */
export function statementsAfter(unit: Unit, node: ts.Node): readonly ts.Statement[] {
  const { ts } = unit;
  const whole = wholeFunction(unit, node);
  const found: ts.Statement[] = [];
  let isLeft = false;
  for (let n = node; n !== whole && n.parent; n = n.parent) {
    const p = n.parent;
    // A callback ends for itself.
    if (ts.isFunctionLike(n)) isLeft = false;
    if (ts.isReturnStatement(n) || ts.isThrowStatement(n)) isLeft = true;
    if (isLeft) continue;
    if (ts.isTryStatement(p) && p.finallyBlock !== undefined && p.finallyBlock !== n) found.push(p.finallyBlock);
    if (!ts.isBlock(p) && !ts.isSourceFile(p) && !ts.isCaseOrDefaultClause(p)) continue;
    const after = p.statements.filter((s) => s.pos >= n.end);
    const end = after.findIndex((s) => leaves(unit, s) && (ts.isBlock(s) || !ts.isIfStatement(s)));
    found.push(...(end < 0 ? after : after.slice(0, end + 1)));
    isLeft = end >= 0;
  }
  return found;
}
