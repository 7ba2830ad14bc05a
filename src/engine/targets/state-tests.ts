import type ts from 'typescript';
import { bare, followed } from '../syntax/expression.js';
import { leaves, plainStatements } from '../syntax/plain-statements.js';
import type { Unit } from '../syntax/unit.js';
import { sameColumn, within } from './accesses.js';
import type { ReadNames } from './read-names.js';
import { isLifecycleColumn, isStateColumn } from './step-words.js';

/**
 * The test that lets a path go from a read to a place because of what can change in the row: its state, an amount, a membership, or that nothing was there yet. That a row
 * exists, or whose it is, does not count. `columns`: what is written later.
 */
export function testBetween(unit: Unit, names: ReadNames, read: ts.Node, place: ts.Node, columns: readonly string[]): ts.Expression | undefined {
  const { ts } = unit;
  const orders = new Set([ts.SyntaxKind.LessThanToken, ts.SyntaxKind.LessThanEqualsToken, ts.SyntaxKind.GreaterThanToken, ts.SyntaxKind.GreaterThanEqualsToken]);
  for (let n: ts.Node = place; n.parent && !within(read, n); n = n.parent) {
    const p = n.parent;
    if (ts.isIfStatement(p) && p.expression !== n && decides(p.expression, p.thenStatement === n)) return p.expression;
    if (ts.isConditionalExpression(p) && p.condition !== n && decides(p.condition, p.whenTrue === n)) return p.condition;
    if (ts.isCaseOrDefaultClause(p) && isState(p.parent.parent.expression)) return p.parent.parent.expression;
    if (!ts.isBlock(p) && !ts.isSourceFile(p) && !ts.isCaseOrDefaultClause(p)) continue;
    for (const s of plainStatements(unit, p.statements)) {
      if (s.pos >= n.pos) break;
      if (s.pos < read.pos || !ts.isIfStatement(s)) continue;
      if (leaves(unit, s.thenStatement) && decides(s.expression, false)) return s.expression;
      if (s.elseStatement !== undefined && leaves(unit, s.elseStatement) && decides(s.expression, true)) return s.expression;
    }
  }
  return undefined;

  /** Whether going on when the test is `truth` depends on the state. */
  function decides(test: ts.Expression, truth: boolean): boolean {
    const e = bare(unit, test);
    if (!names.uses(e)) return false;
    if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.ExclamationToken) return decides(e.operand, !truth);
    if (ts.isBinaryExpression(e)) {
      const op = e.operatorToken.kind;
      if (op === ts.SyntaxKind.AmpersandAmpersandToken || op === ts.SyntaxKind.BarBarToken) return decides(e.left, truth) || decides(e.right, truth);
      return compares(e, truth);
    }
    if (ts.isIdentifier(e)) {
      const value = followed(unit, e);
      const isComputed = value !== e && (ts.isBinaryExpression(value) || ts.isPrefixUnaryExpression(value) || ts.isPropertyAccessExpression(value) || isMembership(value));
      return isComputed ? decides(value, truth) : !truth;
    }
    return isState(e) || isMembership(e);
  }

  function compares(e: ts.BinaryExpression, truth: boolean): boolean {
    const op = e.operatorToken.kind;
    if (orders.has(op)) return true;
    const isEqual = op === ts.SyntaxKind.EqualsEqualsEqualsToken || op === ts.SyntaxKind.EqualsEqualsToken;
    if (!isEqual && op !== ts.SyntaxKind.ExclamationEqualsEqualsToken && op !== ts.SyntaxKind.ExclamationEqualsToken) return false;
    const [used, other] = names.uses(e.left) ? [e.left, e.right] : [e.right, e.left];
    const nothing = bare(unit, other);
    const isNothing = nothing.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(nothing) && nothing.text === 'undefined');
    if (isNothing && !ts.isPropertyAccessExpression(bare(unit, used))) return truth === isEqual;
    return isState(used) || (ts.isIdentifier(bare(unit, used)) && (ts.isStringLiteralLike(nothing) || ts.isNumericLiteral(nothing)));
  }

  /** A part of the row that tells how far its work is, or that is written later. */
  function isState(node: ts.Expression): boolean {
    let found = false;
    const visit = (n: ts.Node): void => {
      if (ts.isPropertyAccessExpression(n) && names.uses(n) && isStateName(n.name.text)) found = true;
      if (ts.isElementAccessExpression(n) && names.uses(n.expression) && ts.isPropertyAccessExpression(bare(unit, n.expression)) && !ts.isNumericLiteral(n.argumentExpression)) found = true;
      if (ts.isIdentifier(n) && names.uses(n) && isStateName(n.text)) found = true;
      ts.forEachChild(n, visit);
    };
    visit(node);
    return found;
  }

  function isStateName(name: string): boolean {
    return isStateColumn(name) || isLifecycleColumn(name) || FLAG.test(name) || columns.some((c) => sameColumn(c, name));
  }

  /** `row.members.includes(x)`, `done.has(id)`: the collection is what was read. */
  function isMembership(node: ts.Expression): boolean {
    return ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && /^(?:includes|has|some|every|find|indexOf)$/.test(node.expression.name.text) && names.uses(node.expression.expression);
  }
}

/** Flags of a row that a step sets. */
const FLAG = /^(?:is)?(?:done|processed|processing|completed?|finished|locked|paid|cancell?ed|closed|expired|used|consumed|claimed|sent|running|started|handled|redeemed|applied|exhausted)$/i;
