import type ts from 'typescript';
import { bare, initialiserOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { cannotThrow } from './call-words.js';

/** Whether a call is one of a plain function of the file in which nothing can throw: it sets a timer or counts, and calls nothing else. */
export function isQuietCall(unit: Unit, call: ts.Node, depth = 0): boolean {
  const { ts } = unit;
  const body = ts.isCallExpression(call) && depth < 3 ? bodyOf(call) : undefined;
  if (body === undefined) return false;
  let quiet = true;
  const visit = (n: ts.Node): void => {
    if (ts.isFunctionLike(n)) return;
    if (ts.isThrowStatement(n) || ts.isAwaitExpression(n) || ts.isYieldExpression(n) || ts.isTaggedTemplateExpression(n)) quiet = false;
    else if ((ts.isCallExpression(n) || ts.isNewExpression(n)) && !cannotThrow(unit, n) && !isQuietCall(unit, n, depth + 1)) quiet = false;
    if (quiet) ts.forEachChild(n, visit);
  };
  visit(body);
  return quiet;

  function bodyOf(node: ts.CallExpression): ts.Node | undefined {
    const callee = bare(unit, node.expression);
    const binding = ts.isIdentifier(callee) ? unit.scopes.resolve(callee) : undefined;
    if (binding === undefined) return undefined;
    if (ts.isFunctionDeclaration(binding.declaration)) return binding.declaration.body;
    const init = initialiserOf(unit, binding);
    const fn = init && bare(unit, init);
    return fn !== undefined && (ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) ? fn.body : undefined;
  }
}
