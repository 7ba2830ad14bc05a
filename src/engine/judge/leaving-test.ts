import type ts from 'typescript';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { reaches } from '../targets/accesses.js';

/** The test between two places of a function that keeps some from the second: it leaves, or the second stands in one of its branches. `asks`: what its condition looks at. */
export function leavingTest(unit: Unit, from: ts.Node, to: ts.Node, asks: (n: ts.Node) => boolean): ts.Node | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, to);
  let found: ts.Node | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined || n.pos >= to.end) return;
    if (ts.isIfStatement(n) && n.expression.end >= from.end && (holds(n) || (n.end <= to.pos && leaves(n.thenStatement))) && reaches(unit, n.expression, asks)) found = n;
    else ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;

  function holds(n: ts.IfStatement): boolean {
    return n.expression.end < to.pos && n.end >= to.end;
  }

  function leaves(statement: ts.Statement): boolean {
    const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
    return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last) || ts.isBreakStatement(last));
  }
}
