import type ts from 'typescript';
import type { Ts } from '../syntax/typescript.js';
import { evaluateAssignment, isAssignmentOperator, isUpdate } from './cfg-assignments.js';
import { isLogical, isTypeWrapper, stripWrappers } from './cfg-conditions.js';
import type { OpenEdge } from './cfg-draft.js';
import { addThrowing, type Walk } from './cfg-walk.js';

/** An expression whose first part is evaluated before anything else of it, without a branch. */
type Link =
  | ts.BinaryExpression | ts.CallExpression | ts.ElementAccessExpression | ts.ParenthesizedExpression | ts.PostfixUnaryExpression | ts.PropertyAccessExpression
  | ts.TaggedTemplateExpression | ts.AsExpression | ts.TypeAssertion | ts.NonNullExpression | ts.SatisfiesExpression;

/** Evaluates `expression` for its value: operands first, then the node of the expression itself, if it has one. */
export function evaluateValue(walk: Walk, expression: ts.Expression): void {
  walk.draft.merge(evaluateChain(walk, expression));
}

/**
 * Evaluates `expression` and returns the edges on which an optional chain that reaches its end was cut short. Goes down the left side with a loop: chains of operators
 * and calls of any length nest to the left, all other nesting is bounded by the parser's own recursion.
 */
export function evaluateChain(walk: Walk, expression: ts.Expression): readonly OpenEdge[] {
  const { ts, draft } = walk;
  const links: Link[] = [];
  let first = expression;
  for (let link = asLink(ts, first); link !== undefined; link = asLink(ts, first)) {
    links.push(link);
    first = leftOf(ts, link);
  }

  evaluateStart(walk, first);
  let cutShort: readonly OpenEdge[] = [];
  for (const link of links.reverse()) {
    if (!ts.isOptionalChain(link)) {
      draft.merge(cutShort);
      cutShort = [];
    } else if (!ts.isNonNullExpression(link) && link.questionDotToken !== undefined) {
      const { whenTrue, whenFalse } = draft.test(stripWrappers(ts, link.expression), 'present');
      draft.open = whenTrue;
      cutShort = [...cutShort, ...whenFalse];
    }
    completeLink(walk, link);
  }
  return cutShort;
}

/** What a class evaluates where it is declared, as far as the graph goes: the class that it extends. */
export function evaluateHeritage(walk: Walk, declaration: ts.ClassLikeDeclaration): void {
  for (const clause of declaration.heritageClauses ?? []) {
    if (clause.token !== walk.ts.SyntaxKind.ExtendsKeyword) continue;
    for (const { expression } of clause.types) walk.value(expression);
  }
}

function asLink(ts: Ts, node: ts.Expression): Link | undefined {
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isElementAccessExpression(node)) return node;
  if (ts.isBinaryExpression(node)) return isLogical(ts, node) || isAssignmentOperator(ts, node.operatorToken.kind) ? undefined : node;
  if (ts.isParenthesizedExpression(node) || isTypeWrapper(ts, node)) return node;
  return ts.isPostfixUnaryExpression(node) || ts.isTaggedTemplateExpression(node) ? node : undefined;
}

function leftOf(ts: Ts, link: Link): ts.Expression {
  if (ts.isBinaryExpression(link)) return link.left;
  if (ts.isTaggedTemplateExpression(link)) return link.tag;
  return ts.isPostfixUnaryExpression(link) ? link.operand : link.expression;
}

/** Does what is left of `link` once its left part is evaluated. */
function completeLink(walk: Walk, link: Link): void {
  const { ts } = walk;
  if (ts.isBinaryExpression(link)) return walk.value(link.right);
  if (ts.isElementAccessExpression(link)) return walk.value(link.argumentExpression);
  if (ts.isCallExpression(link)) {
    for (const argument of link.arguments) walk.value(argument);
    return addThrowing(walk, 'call', link);
  }
  if (ts.isTaggedTemplateExpression(link)) {
    evaluateOperands(walk, link.template);
    return addThrowing(walk, 'call', link);
  }
  if (ts.isPostfixUnaryExpression(link)) walk.draft.add('assign', link);
}

function evaluateStart(walk: Walk, expression: ts.Expression): void {
  const { ts, draft } = walk;
  if (draft.isDead || ts.isIdentifier(expression) || ts.isFunctionExpression(expression) || ts.isArrowFunction(expression)) return;
  if (ts.isAwaitExpression(expression)) {
    walk.value(expression.expression);
    return addThrowing(walk, 'await', expression);
  }
  if (ts.isBinaryExpression(expression)) return isLogical(ts, expression) ? evaluateLogical(walk, expression) : evaluateAssignment(walk, expression);
  if (ts.isConditionalExpression(expression)) return evaluateChoice(walk, expression);
  if (ts.isNewExpression(expression)) {
    evaluateOperands(walk, expression);
    return addThrowing(walk, 'call', expression);
  }
  if (ts.isYieldExpression(expression)) {
    if (expression.expression !== undefined) walk.value(expression.expression);
    // The consumer may call `throw()`.
    return walk.jumps.raise(draft.add('yield', expression));
  }
  if (ts.isClassExpression(expression)) return evaluateHeritage(walk, expression);
  evaluateOperands(walk, expression);
  if (ts.isPrefixUnaryExpression(expression) && isUpdate(ts, expression.operator)) draft.add('assign', expression);
}

/** `a && b` as a value: `a` is tested, `b` is a value on one of its branches. */
function evaluateLogical(walk: Walk, expression: ts.BinaryExpression): void {
  const { ts, draft } = walk;
  const operator = expression.operatorToken.kind;
  const { whenTrue, whenFalse } = operator === ts.SyntaxKind.QuestionQuestionToken ? walk.presence(expression.left) : walk.condition(expression.left);
  const isAnd = operator === ts.SyntaxKind.AmpersandAmpersandToken;
  draft.open = isAnd ? whenTrue : whenFalse;
  walk.value(expression.right);
  draft.merge(isAnd ? whenFalse : whenTrue);
}

/** A ladder `a ? x : b ? y : z` is as long as its author likes, hence the loop. */
function evaluateChoice(walk: Walk, expression: ts.ConditionalExpression): void {
  const { ts, draft } = walk;
  const ends: OpenEdge[] = [];
  let rest: ts.Expression = expression;
  while (ts.isConditionalExpression(rest)) {
    const { whenTrue, whenFalse } = walk.condition(rest.condition);
    draft.open = whenTrue;
    walk.value(rest.whenTrue);
    ends.push(...draft.take());
    draft.open = whenFalse;
    rest = stripWrappers(ts, rest.whenFalse);
  }
  walk.value(rest);
  draft.merge(ends);
}

/** Evaluates every expression inside a node that has no order of its own: literals, templates, JSX, spreads, `typeof` ... Bodies of functions are values, not steps. */
function evaluateOperands(walk: Walk, node: ts.Node): void {
  const { ts } = walk;
  ts.forEachChild(node, child => {
    if (ts.isFunctionLike(child)) return child.name !== undefined && ts.isComputedPropertyName(child.name) ? walk.value(child.name.expression) : undefined;
    if (ts.isExpressionWithTypeArguments(child)) return walk.value(child.expression);
    if (ts.isTypeNode(child)) return undefined;
    return ts.isExpression(child) ? walk.value(child) : evaluateOperands(walk, child);
  });
}
