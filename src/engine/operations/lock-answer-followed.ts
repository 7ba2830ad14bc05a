import type ts from 'typescript';
import { bare, enclosingFunction, wholeValue } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';
import { isSettledAt } from './lock-answer-settled.js';
import type { AccessNode } from './state-access.js';

/** More uses of the answer than this, and it counts as not followed. */
const MAX_USES = 200;

/**
 * Whether all that the code does with the answer of a call can be followed: parts are read by name, compared, tested, returned. Where a part goes through a method, a
 * loop or another function (`rows.some(..)`, `for (const row of rows)`, `.then(..)`), what a test on the outcome says is not known, and nothing may be
 * claimed of it.
 */
export function isAnswerFollowed(unit: Unit, node: AccessNode): boolean {
  const { ts } = unit;
  const home = enclosingFunction(unit, node);
  const seen = new Set<Binding>();
  let budget = MAX_USES;
  return follows(wholeValue(unit, node));

  function follows(value: ts.Node): boolean {
    if (--budget < 0) return false;
    const p = value.parent;
    if (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p) || ts.isSatisfiesExpression(p) || ts.isAwaitExpression(p)) return follows(p);
    if (ts.isExpressionStatement(p) || ts.isVoidExpression(p) || ts.isReturnStatement(p) || ts.isSwitchStatement(p)) return true;
    if (ts.isIfStatement(p) || ts.isWhileStatement(p) || ts.isDoStatement(p) || (ts.isForStatement(p) && p.condition === value)) return true;
    if (ts.isArrowFunction(p)) return p.body === value;
    if (ts.isPropertyAccessExpression(p)) return followsMember(p);
    if (ts.isElementAccessExpression(p)) return p.expression === value && ts.isLiteralExpression(bare(unit, p.argumentExpression)) && follows(p);
    if (ts.isVariableDeclaration(p)) return p.initializer === value && followsName(p.name);
    if (ts.isConditionalExpression(p)) return p.condition === value || follows(p);
    if (ts.isPrefixUnaryExpression(p)) return p.operator !== ts.SyntaxKind.TildeToken && follows(p);
    if (ts.isBinaryExpression(p)) return followsOperator(p, value);
    if (ts.isPropertyAssignment(p) || ts.isShorthandPropertyAssignment(p) || ts.isTemplateSpan(p)) return follows(p.parent);
    return ts.isCallExpression(p) && p.expression !== value && followsArgument(p);
  }

  function followsMember(access: ts.PropertyAccessExpression): boolean {
    const call = access.parent;
    if (!ts.isCallExpression(call) || call.expression !== access) return follows(access);
    return access.name.text === 'at' && call.arguments.length === 1 && follows(call);
  }

  function followsArgument(call: ts.CallExpression): boolean {
    const callee = bare(unit, call.expression);
    if (ts.isIdentifier(callee) && (callee.text === 'Boolean' || callee.text === 'Number')) return follows(call);
    // A line in a log decides nothing.
    return ts.isPropertyAccessExpression(callee) && /^(?:console|.*log(?:ger)?)$/i.test(bare(unit, callee.expression).getText(unit.file));
  }

  function followsOperator(p: ts.BinaryExpression, value: ts.Node): boolean {
    const K = ts.SyntaxKind;
    switch (p.operatorToken.kind) {
      case K.EqualsToken: return p.right === value && ts.isIdentifier(p.left) && followsName(p.left) && follows(p);
      case K.EqualsEqualsToken: case K.EqualsEqualsEqualsToken: case K.ExclamationEqualsToken: case K.ExclamationEqualsEqualsToken:
      case K.LessThanToken: case K.LessThanEqualsToken: case K.GreaterThanToken: case K.GreaterThanEqualsToken:
      case K.AmpersandAmpersandToken: case K.BarBarToken: case K.QuestionQuestionToken: case K.CommaToken: return follows(p);
      default: return false;
    }
  }

  function followsName(name: ts.BindingName): boolean {
    if (!ts.isIdentifier(name)) return name.elements.every((e) => !ts.isBindingElement(e) || (e.dotDotDotToken === undefined && followsName(e.name)));
    const binding = unit.scopes.resolve(name);
    if (binding === undefined) return false;
    if (seen.has(binding)) return true;
    seen.add(binding);
    return usesOf(binding).every((use) => isSettledAt(unit, use, binding) || (enclosingFunction(unit, use) === home && follows(use)));
  }

  function usesOf(binding: Binding): readonly ts.Identifier[] {
    const uses: ts.Identifier[] = [];
    const visit = (n: ts.Node): void => {
      if (ts.isTypeNode(n)) return;
      if (ts.isIdentifier(n) && n.text === binding.name && n !== binding.id && isRead(n) && unit.scopes.resolve(n) === binding) uses.push(n);
      ts.forEachChild(n, visit);
    };
    visit(home);
    return uses;
  }

  function isRead(id: ts.Identifier): boolean {
    const p = id.parent;
    if (ts.isBinaryExpression(p) && p.left === id && p.operatorToken.kind === ts.SyntaxKind.EqualsToken) return false;
    if (ts.isPropertyAccessExpression(p) || ts.isPropertyAssignment(p)) return p.name !== id;
    return !ts.isBindingElement(p) || p.propertyName !== id;
  }
}
