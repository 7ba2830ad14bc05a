import type ts from 'typescript';
import { calledFunction } from '../functions/called-function.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** What ends the tries of a worker that is refused again and again: a number of tries or a time, something else, or nothing in sight. */
export type Limit = 'bound' | 'other' | 'none';

const WORDS = /(?:attempt|tries|retr(?:y|ies)|deadline|time(?:d)?_?out|expire[sd]?\b|elapsed|remaining|abort|cancel|signal|until|budget|max[A-Z_])/i;

/** What a test that can end the tries says of their number or time. `error`: it only looks at what kind of error was caught. */
export function limitOfTest(unit: Unit, tested: ts.Node, round: ts.Node, depth = 0): Limit | 'error' {
  const { ts } = unit;
  // A list of pauses, a range of numbers.
  if (ts.isForOfStatement(tested) || ts.isForInStatement(tested)) return 'bound';
  if (speaksOfError(unit, tested)) return 'error';
  if (isComparison(tested) && changes(unit, tested, round)) return 'bound';
  if (WORDS.test(tested.getText(unit.file)) && !isFixed(unit, tested, round)) return 'bound';
  if (ts.isIdentifier(tested)) {
    const binding = unit.scopes.resolve(tested);
    const d = binding?.declaration;
    if (depth < 4 && d !== undefined && ts.isVariableDeclaration(d) && d.initializer !== undefined && binding?.writes.length === 0) return limitOfTest(unit, bare(unit, d.initializer), round, depth + 1);
    // A counter itself: `while (tries--)`.
    if (binding?.writes.some((w) => isStep(unit, w) && within(w, round)) === true) return 'bound';
  }
  if (isCounting(tested)) return 'bound';
  return 'other';

  function isComparison(n: ts.Node): n is ts.BinaryExpression {
    return ts.isBinaryExpression(n) && [ts.SyntaxKind.LessThanToken, ts.SyntaxKind.LessThanEqualsToken, ts.SyntaxKind.GreaterThanToken, ts.SyntaxKind.GreaterThanEqualsToken,
      ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken].includes(n.operatorToken.kind)
      && (isOrder(n.operatorToken.kind) || someName(unit, n, (id) => unit.scopes.resolve(id)?.writes.some((w) => isStep(unit, w)) === true));
  }

  function isOrder(kind: ts.SyntaxKind): boolean {
    return kind === ts.SyntaxKind.LessThanToken || kind === ts.SyntaxKind.LessThanEqualsToken || kind === ts.SyntaxKind.GreaterThanToken || kind === ts.SyntaxKind.GreaterThanEqualsToken;
  }

  function isCounting(n: ts.Node): boolean {
    return ts.isPostfixUnaryExpression(n) || (ts.isPrefixUnaryExpression(n) && n.operator !== ts.SyntaxKind.ExclamationToken);
  }
}

/** A call on the way to the next try that ends the tries by throwing: it looks at a signal or a deadline, or counts the tries itself. */
export function limitOfCall(unit: Unit, node: ts.Node, round: ts.Node): Limit {
  const { ts } = unit;
  const text = node.getText(unit.file);
  if (/\b(?:throwIf\w+|signal|abort\w*|deadline\w*|\w*Deadline|timeout\b|timedOut)\b/i.test(text)) return 'bound';
  if (!ts.isCallExpression(node)) return 'none';
  // `await backoff(tries++)`: who cannot be read may count.
  const counts = node.arguments.some((a) => someName(unit, a, (id) => unit.scopes.resolve(id)?.writes.some((w) => isStep(unit, w) && within(w, round)) === true));
  return counts && calledFunction(unit, node) === undefined && !/^(?:sleep|delay|wait|setTimeout)$/.test(node.expression.getText(unit.file)) ? 'other' : 'none';
}

/** Whether something in an expression is another value from one try to the next. */
export function changes(unit: Unit, node: ts.Node, round: ts.Node, depth = 0): boolean {
  const { ts } = unit;
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isPostfixUnaryExpression(node)) return true;
  if (ts.isIdentifier(node)) {
    const binding = unit.scopes.resolve(node);
    if (binding === undefined || depth > 4) return false;
    if (binding.kind === 'param') return ts.isFunctionLike(round) && within(binding.id, round);
    if (binding.writes.some((w) => within(w, round) || !within(round, binding.scope))) return true;
    const d = binding.declaration;
    if (ts.isVariableDeclaration(d) && d.initializer !== undefined && within(d, round)) return changes(unit, d.initializer, round, depth + 1);
    return within(binding.id, round) && !ts.isVariableDeclaration(d);
  }
  return ts.forEachChild(node, (child) => changes(unit, child, round, depth) || undefined) === true;
}

/** A name that sounds like a limit and is the same in all tries: `while (!timeoutMs)`. */
function isFixed(unit: Unit, tested: ts.Node, round: ts.Node): boolean {
  return unit.ts.isIdentifier(tested) && unit.scopes.resolve(tested)?.kind === 'param' && !unit.ts.isFunctionLike(round);
}

function speaksOfError(unit: Unit, node: ts.Node): boolean {
  return someName(unit, node, (id) => unit.scopes.resolve(id)?.kind === 'catch');
}

function someName(unit: Unit, node: ts.Node, is: (id: ts.Identifier) => boolean): boolean {
  if (unit.ts.isIdentifier(node)) return is(node);
  return unit.ts.forEachChild(node, (child) => someName(unit, child, is) || undefined) === true;
}

function isStep(unit: Unit, write: ts.Node): boolean {
  const { ts } = unit;
  return ts.isPrefixUnaryExpression(write) || ts.isPostfixUnaryExpression(write) || (ts.isBinaryExpression(write) && write.operatorToken.kind !== ts.SyntaxKind.EqualsToken);
}

function within(node: ts.Node, outer: ts.Node): boolean {
  return node.pos >= outer.pos && node.end <= outer.end;
}
