import type ts from 'typescript';
import type { Ts } from '../syntax/typescript.js';
import type { Branches, OpenEdge } from './cfg-draft.js';
import type { Walk } from './cfg-walk.js';

/**
 * Evaluates `expression` for its truth. `&&`, `||`, `??`, `!`, `?:`, comma, and optional chains are taken apart, so that each test stands on its own; a constant adds
 * no test and leaves one branch dead.
 */
export function evaluateCondition(walk: Walk, expression: ts.Expression): Branches {
  const { ts, draft } = walk;
  const operators: ts.BinaryExpression[] = [];
  let first = stripWrappers(ts, expression);
  while (isAndOr(ts, first)) {
    operators.push(first);
    first = stripWrappers(ts, first.left);
  }

  let branches = operandCondition(walk, first);
  for (const operator of operators.reverse()) {
    const { whenTrue, whenFalse } = branches;
    const isAnd = operator.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    draft.open = isAnd ? whenTrue : whenFalse;
    const right = walk.condition(operator.right);
    branches = isAnd
      ? { whenTrue: right.whenTrue, whenFalse: join(whenFalse, right.whenFalse) }
      : { whenTrue: join(whenTrue, right.whenTrue), whenFalse: right.whenFalse };
  }
  return branches;
}

/** Evaluates `expression` and asks whether its value is neither null nor undefined. `a ?? b` is present when either is; an optional chain that is cut short is not. */
export function evaluatePresence(walk: Walk, expression: ts.Expression): Branches {
  const { ts, draft } = walk;
  const fallbacks: ts.Expression[] = [];
  let first = stripWrappers(ts, expression);
  while (isNullish(ts, first)) {
    fallbacks.push(first.right);
    first = stripWrappers(ts, first.left);
  }

  let branches = operandPresence(walk, first);
  for (const fallback of fallbacks.reverse()) {
    draft.open = branches.whenFalse;
    const right = walk.presence(fallback);
    branches = { whenTrue: join(branches.whenTrue, right.whenTrue), whenFalse: right.whenFalse };
  }
  return branches;
}

/** The operator is `&&`, `||` or `??`. */
export function isLogical(ts: Ts, node: ts.BinaryExpression): boolean {
  return isAndOr(ts, node) || isNullish(ts, node);
}

/** The expression without parentheses and type-only wrappers. */
export function stripWrappers(ts: Ts, expression: ts.Expression): ts.Expression {
  let inner = expression;
  while (ts.isParenthesizedExpression(inner) || isTypeWrapper(ts, inner)) inner = inner.expression;
  return inner;
}

/** `x as T`, `<T>x`, `x!`, `x satisfies T`. */
export function isTypeWrapper(ts: Ts, node: ts.Node): node is ts.AsExpression | ts.TypeAssertion | ts.NonNullExpression | ts.SatisfiesExpression {
  return ts.isAsExpression(node) || ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node);
}

function operandCondition(walk: Walk, operand: ts.Expression): Branches {
  const { ts, draft } = walk;
  if (ts.isPrefixUnaryExpression(operand) && operand.operator === ts.SyntaxKind.ExclamationToken) {
    const { whenTrue, whenFalse } = walk.condition(operand.operand);
    return { whenTrue: whenFalse, whenFalse: whenTrue };
  }
  const constant = constantTruth(ts, operand);
  if (constant !== undefined) {
    const edges = draft.take();
    return constant ? { whenTrue: edges, whenFalse: [] } : { whenTrue: [], whenFalse: edges };
  }
  if (ts.isConditionalExpression(operand)) return eitherArm(walk, operand, arm => walk.condition(arm));
  if (isComma(ts, operand)) {
    walk.value(operand.left);
    return walk.condition(operand.right);
  }
  if (isNullish(ts, operand)) return nullishCondition(walk, operand);

  const cutShort = walk.chain(operand);
  const { whenTrue, whenFalse } = draft.test(operand, 'truthy');
  return { whenTrue, whenFalse: join(cutShort, whenFalse) };
}

/** The truth of `a ?? b`: that of `a` when it is present, else that of `b`. */
function nullishCondition(walk: Walk, operator: ts.BinaryExpression): Branches {
  const { draft } = walk;
  const left = walk.presence(operator.left);
  draft.open = left.whenTrue;
  const leftTruth = draft.test(stripWrappers(walk.ts, operator.left), 'truthy');
  draft.open = left.whenFalse;
  const rightTruth = walk.condition(operator.right);
  return joinBranches(leftTruth, rightTruth);
}

function operandPresence(walk: Walk, operand: ts.Expression): Branches {
  const { ts, draft } = walk;
  if (ts.isConditionalExpression(operand)) return eitherArm(walk, operand, arm => walk.presence(arm));
  const cutShort = walk.chain(operand);
  const { whenTrue, whenFalse } = draft.test(operand, 'present');
  return { whenTrue, whenFalse: join(cutShort, whenFalse) };
}

function eitherArm(walk: Walk, choice: ts.ConditionalExpression, evaluate: (arm: ts.Expression) => Branches): Branches {
  const { draft } = walk;
  const { whenTrue, whenFalse } = walk.condition(choice.condition);
  draft.open = whenTrue;
  const first = evaluate(choice.whenTrue);
  draft.open = whenFalse;
  const second = evaluate(choice.whenFalse);
  return joinBranches(first, second);
}

/** Only what people write to mean "always" and "never": `while (true)`, `while (1)`, minified `!0`. */
function constantTruth(ts: Ts, expression: ts.Expression): boolean | undefined {
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return false;
  return ts.isNumericLiteral(expression) ? Number(expression.text) !== 0 : undefined;
}

function isAndOr(ts: Ts, node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false;
  const operator = node.operatorToken.kind;
  return operator === ts.SyntaxKind.AmpersandAmpersandToken || operator === ts.SyntaxKind.BarBarToken;
}

function isNullish(ts: Ts, node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
}

function isComma(ts: Ts, node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken;
}

function joinBranches(first: Branches, second: Branches): Branches {
  return { whenTrue: join(first.whenTrue, second.whenTrue), whenFalse: join(first.whenFalse, second.whenFalse) };
}

function join(first: readonly OpenEdge[], second: readonly OpenEdge[]): readonly OpenEdge[] {
  if (first.length === 0) return second;
  return second.length === 0 ? first : [...first, ...second];
}
