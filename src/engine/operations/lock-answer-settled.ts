import type ts from 'typescript';
import { bare } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';

/**
 * Whether a use of an answer stands behind a test that has sent the loser away (`if (!row) return;`): whatever is done with the answer there, it decides nothing any
 * more.
 */
export function isSettledAt(unit: Unit, use: ts.Node, answer: Binding): boolean {
  const { ts } = unit;
  for (let n: ts.Node = use; n.parent && n !== answer.scope; n = n.parent) {
    const list = ts.isBlock(n.parent) || ts.isSourceFile(n.parent) || ts.isCaseOrDefaultClause(n.parent) ? n.parent.statements : undefined;
    if (list === undefined) continue;
    for (const statement of list) {
      if (statement === n) break;
      if (statement.pos > answer.id.end && ts.isIfStatement(statement) && statement.elseStatement === undefined && leaves(statement.thenStatement) && asksForLoss(statement.expression)) return true;
    }
  }
  return false;

  function leaves(statement: ts.Statement): boolean {
    const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
    return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last) || ts.isBreakStatement(last));
  }

  function asksForLoss(test: ts.Expression): boolean {
    const e = bare(unit, test);
    if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.ExclamationToken) return isAnswer(e.operand);
    if (!ts.isBinaryExpression(e)) return false;
    switch (e.operatorToken.kind) {
      case ts.SyntaxKind.BarBarToken: return asksForLoss(e.left) || asksForLoss(e.right);
      case ts.SyntaxKind.EqualsEqualsEqualsToken: case ts.SyntaxKind.EqualsEqualsToken: return isNothing(e.right) && isAnswer(e.left);
      default: return false;
    }
  }

  function isAnswer(node: ts.Expression): boolean {
    const e = bare(unit, node);
    return ts.isIdentifier(e) && unit.scopes.resolve(e) === answer;
  }

  function isNothing(node: ts.Expression): boolean {
    const e = bare(unit, node);
    return e.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(e) && e.text === 'undefined');
  }
}
