import type ts from 'typescript';
import type { AccessNode } from '../operations/state-access.js';
import { bare, nameText, wholeValue } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';
import { placeInBatch } from './awaited-calls.js';

/** Parts of a row that no rival changes, or that only say which row it is. */
const FIXED = /(?:^|_)(?:id|uuid|key|name|slug|email|type|kind|url|created_at)$|Id$|Ids$|Key$|Uuid$|Name$|Type$|Kind$|createdAt$|Url$/;

/** The names of a function that hold what a read gave, whole or in parts that can change, directly or computed without waiting. */
export interface ReadNames {
  /** Whether an expression looks at a part of the answer that can change. */
  uses(node: ts.Node): boolean;
  holds(binding: Binding): boolean;
}

export function readNames(unit: Unit, read: AccessNode, root: ts.Node): ReadNames {
  const { ts } = unit;
  const names = new Set<Binding>();
  addFirst();
  // A name may be computed from one that stands further down, in a function.
  for (let round = 0; round < 2; round++) visit(root);
  return { uses, holds: (binding) => names.has(binding) };

  function addFirst(): void {
    const batch = placeInBatch(unit, read);
    const whole = wholeValue(unit, batch?.batch ?? read);
    const name = targetOf(whole);
    if (name === undefined) return;
    if (batch === undefined) return add(name);
    const element = ts.isArrayBindingPattern(name) ? name.elements[batch.index] : undefined;
    if (element !== undefined && ts.isBindingElement(element)) add(element.name);
  }

  function targetOf(value: ts.Expression): ts.BindingName | undefined {
    let p: ts.Node = value.parent;
    // `(await load(id)).rows`, `(await load(id)) ?? {}`
    while (ts.isParenthesizedExpression(p) || ts.isPropertyAccessExpression(p) || ts.isElementAccessExpression(p) || ts.isAwaitExpression(p) || ts.isAsExpression(p) || (ts.isBinaryExpression(p) && p.left !== value && p.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
      || (ts.isBinaryExpression(p) && p.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)) p = p.parent;
    if (ts.isVariableDeclaration(p)) return p.name;
    return ts.isBinaryExpression(p) && p.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isIdentifier(p.left) ? p.left : undefined;
  }

  function visit(node: ts.Node): void {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined && computes(node.initializer)) add(node.name);
    else if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer) && uses(node.expression)) for (const d of node.initializer.declarations) add(d.name);
    else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isIdentifier(node.left) && computes(node.right)) add(node.left);
    ts.forEachChild(node, visit);
  }

  /** What somebody has worked on meanwhile is no longer what was read. */
  function computes(value: ts.Expression): boolean {
    return uses(value) && !waits(value);
  }

  function waits(node: ts.Node): boolean {
    return ts.isAwaitExpression(node) || (!ts.isFunctionLike(node) && ts.forEachChild(node, waits) === true);
  }

  function add(name: ts.BindingName): void {
    if (ts.isIdentifier(name)) {
      const binding = unit.scopes.resolve(name);
      if (binding !== undefined) names.add(binding);
      return;
    }
    for (const element of name.elements) {
      if (!ts.isBindingElement(element)) continue;
      const part = ts.isArrayBindingPattern(name) ? '' : nameText(unit, element.propertyName ?? (element.name));
      if (!FIXED.test(part)) add(element.name);
    }
  }

  function uses(node: ts.Node): boolean {
    if (ts.isIdentifier(node)) {
      const p = node.parent;
      if (ts.isPropertyAccessExpression(p) && p.name === node) return false;
      if (ts.isPropertyAssignment(p) && p.name === node) return false;
      const binding = unit.scopes.resolve(node);
      return binding !== undefined && names.has(binding) && !isFixedPart(node);
    }
    return ts.forEachChild(node, uses) === true;
  }

  function isFixedPart(id: ts.Identifier): boolean {
    let e: ts.Expression = id;
    while (ts.isPropertyAccessExpression(e.parent) || (ts.isElementAccessExpression(e.parent) && e.parent.expression === e) || ts.isNonNullExpression(e.parent)) {
      if (ts.isPropertyAccessExpression(e.parent) && FIXED.test(e.parent.name.text)) return true;
      e = e.parent;
      if (bare(unit, e) !== e && !ts.isNonNullExpression(e)) break;
    }
    return false;
  }
}
