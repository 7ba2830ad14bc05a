import type ts from 'typescript';
import type { Ts } from '../syntax/typescript.js';
import { stripWrappers } from './cfg-conditions.js';
import type { Walk } from './cfg-walk.js';

/** Evaluates `target = value`, `+=`, `??=` and destructuring: the target's own expressions, the value, then the assignment. */
export function evaluateAssignment(walk: Walk, assignment: ts.BinaryExpression): void {
  const { ts, draft } = walk;
  if (isPattern(ts, assignment.left)) {
    walk.value(assignment.right);
    evaluateTarget(walk, assignment.left);
    draft.add('assign', assignment);
    return;
  }
  if (isLogicalAssignment(ts, assignment.operatorToken.kind)) return evaluateLogicalAssignment(walk, assignment);
  walk.value(assignment.left);
  walk.value(assignment.right);
  draft.add('assign', assignment);
}

/** Evaluates the defaults and computed keys in a declared pattern: `{ a = f(), [key()]: b }`. */
export function evaluateBinding(walk: Walk, name: ts.BindingName): void {
  const { ts } = walk;
  if (ts.isIdentifier(name)) return;
  for (const element of name.elements) {
    if (ts.isOmittedExpression(element)) continue;
    if (element.propertyName !== undefined) evaluateKey(walk, element.propertyName);
    evaluateDefault(walk, element, element.initializer);
    evaluateBinding(walk, element.name);
  }
}

/** Evaluates a default, which may stay unused: a test on `owner` that is true when the value is defined. */
export function evaluateDefault(walk: Walk, owner: ts.Node, initializer: ts.Expression | undefined): void {
  if (initializer === undefined) return;
  const { whenTrue, whenFalse } = walk.draft.test(owner, 'defined');
  walk.draft.open = whenFalse;
  walk.value(initializer);
  walk.draft.merge(whenTrue);
}

/** Evaluates what the left side of an assignment, or of a for-of loop without a declaration, evaluates. */
export function evaluateTarget(walk: Walk, target: ts.Expression): void {
  const { ts } = walk;
  if (ts.isArrayLiteralExpression(target)) {
    for (const element of target.elements) evaluateElement(walk, element);
    return;
  }
  if (ts.isObjectLiteralExpression(target)) {
    for (const property of target.properties) evaluateProperty(walk, property);
    return;
  }
  walk.value(target);
}

export function isAssignmentOperator(ts: Ts, operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}

/** `++` and `--`. */
export function isUpdate(ts: Ts, operator: ts.PrefixUnaryOperator): boolean {
  return operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken;
}

function evaluateLogicalAssignment(walk: Walk, assignment: ts.BinaryExpression): void {
  const { ts, draft } = walk;
  const operator = assignment.operatorToken.kind;
  walk.value(assignment.left);
  const asks = operator === ts.SyntaxKind.QuestionQuestionEqualsToken ? 'present' : 'truthy';
  const { whenTrue, whenFalse } = draft.test(stripWrappers(ts, assignment.left), asks);
  const isAnd = operator === ts.SyntaxKind.AmpersandAmpersandEqualsToken;
  draft.open = isAnd ? whenTrue : whenFalse;
  walk.value(assignment.right);
  draft.add('assign', assignment);
  draft.merge(isAnd ? whenFalse : whenTrue);
}

function evaluateElement(walk: Walk, element: ts.Expression): void {
  const { ts } = walk;
  if (ts.isSpreadElement(element)) return evaluateTarget(walk, element.expression);
  if (!ts.isBinaryExpression(element) || element.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return evaluateTarget(walk, element);
  evaluateDefault(walk, element, element.right);
  evaluateTarget(walk, element.left);
}

function evaluateProperty(walk: Walk, property: ts.ObjectLiteralElementLike): void {
  const { ts } = walk;
  if (ts.isSpreadAssignment(property)) return evaluateTarget(walk, property.expression);
  if (ts.isShorthandPropertyAssignment(property)) return evaluateDefault(walk, property, property.objectAssignmentInitializer);
  if (!ts.isPropertyAssignment(property)) return;
  evaluateKey(walk, property.name);
  evaluateElement(walk, property.initializer);
}

function evaluateKey(walk: Walk, key: ts.PropertyName): void {
  if (walk.ts.isComputedPropertyName(key)) walk.value(key.expression);
}

function isPattern(ts: Ts, target: ts.Expression): boolean {
  return ts.isArrayLiteralExpression(target) || ts.isObjectLiteralExpression(target);
}

function isLogicalAssignment(ts: Ts, operator: ts.SyntaxKind): boolean {
  return operator === ts.SyntaxKind.AmpersandAmpersandEqualsToken
    || operator === ts.SyntaxKind.BarBarEqualsToken
    || operator === ts.SyntaxKind.QuestionQuestionEqualsToken;
}
