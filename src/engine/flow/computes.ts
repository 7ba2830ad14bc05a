import type ts from 'typescript';
import { calleeOf } from '../syntax/declared-callee.js';
import type { Unit } from '../syntax/unit.js';
import { calledName, hasEffect } from './call-words.js';

/** Functions that a computation calls are looked at this far. */
const DEPTH = 2;

/** Whether a call only computes a value that is used on the spot: its function can be read, waits for nothing, sets nothing outside and calls nothing that does more. */
export function computes(unit: Unit, node: ts.Node, depth = DEPTH): boolean {
  const { ts } = unit;
  if (!ts.isCallExpression(node) || ts.isAwaitExpression(node.parent) || ts.isExpressionStatement(node.parent) || ts.isVoidExpression(node.parent)) return false;
  const called = depth === 0 ? undefined : calleeOf(unit, node);
  if (called?.body === undefined) return false;
  const { body, signature: { unit: home } } = called;
  if (ts.canHaveModifiers(body) && ts.getModifiers(body)?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) === true) return false;
  const isQuiet = (n: ts.Node): boolean => {
    if (ts.isAwaitExpression(n) || ts.isYieldExpression(n) || (ts.isNewExpression(n) && n.expression.getText(home.file) === 'Promise')) return false;
    if (ts.isBinaryExpression(n) && setsOutside(home, n)) return false;
    if (ts.isCallExpression(n) && hasEffect(home, n) && !BUILT_IN.test(calledName(home, n)) && !computes(home, n, depth - 1)) return false;
    return ts.forEachChild(n, (child) => (isQuiet(child) ? undefined : true)) === undefined;
  };
  return body.body !== undefined && isQuiet(body.body);
}

/** Of texts, lists and objects. */
const BUILT_IN = /^(?:map|filter|some|every|reduce|flat|flatMap|includes|indexOf|slice|concat|join|split|trim|toLowerCase|toUpperCase|replace|replaceAll|match|matchAll|test|exec|startsWith|endsWith|sort|reverse|at|charAt|padStart|padEnd|fromEntries|assign|freeze|max|min|round|floor|ceil|abs|localeCompare|forEach)$/;

/** `this.seen = id`, `state.count += 1` */
function setsOutside({ ts }: Unit, n: ts.BinaryExpression): boolean {
  return n.operatorToken.kind >= ts.SyntaxKind.FirstAssignment && n.operatorToken.kind <= ts.SyntaxKind.LastAssignment && ts.isPropertyAccessExpression(n.left);
}
