import type ts from 'typescript';
import { calleeOf } from '../syntax/declared-callee.js';
import { enclosingFunction, followed, settled, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** A pool of one call: `new Pool()` in a function, or a function of the house that makes one each time. One that waits for the first caller (`pool ??= ..`) is everybody's. */
export function isMadeHere(unit: Unit, e: ts.CallExpression | ts.NewExpression): boolean {
  const { ts } = unit;
  const fn = enclosingFunction(unit, e);
  const holder = wholeValue(unit, e).parent;
  if (ts.isSourceFile(fn)) return false;
  if (ts.isVariableDeclaration(holder) || (ts.isCallExpression(holder) && holder.expression !== e)) return isMadeAnew(unit, e, 0);
  const name = ts.isBinaryExpression(holder) && holder.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isIdentifier(holder.left) ? holder.left : undefined;
  const declared = name && unit.scopes.resolve(name)?.declaration;
  return declared !== undefined && enclosingFunction(unit, declared) === fn && isMadeAnew(unit, e, 0);
}

const MAKERS_DEEP = 3;

/** `new Pool()`, or a function whose answers are all made in it. */
function isMadeAnew(unit: Unit, e: ts.Expression, depth: number): boolean {
  const { ts } = unit;
  if (ts.isNewExpression(e)) return true;
  const called = ts.isCallExpression(e) && depth < MAKERS_DEEP ? calleeOf(unit, e) : undefined;
  if (called?.body === undefined) return false;
  const { body, signature: { unit: home } } = called;
  const answers = returnsOf(home, body);
  return answers.length > 0 && answers.every((a) => {
    const made = settled(home, followed(home, settled(home, a)));
    return ts.isIdentifier(made) ? isKeptByCall(home, made, depth + 1) : enclosingFunction(home, made) === body && isMadeAnew(home, made, depth + 1);
  });
}

/** `client ??= makePool()` of a variable that each call of the function around has anew. */
function isKeptByCall(unit: Unit, name: ts.Identifier, depth: number): boolean {
  const { ts } = unit;
  const binding = unit.scopes.resolve(name);
  const d = binding?.declaration;
  if (binding === undefined || d === undefined || !ts.isVariableDeclaration(d) || ts.isSourceFile(enclosingFunction(unit, d))) return false;
  const [only, ...others] = binding.writes;
  const assigned = only !== undefined && others.length === 0 && d.initializer === undefined && ts.isBinaryExpression(only) ? only.right : undefined;
  return assigned !== undefined && isMadeAnew(unit, settled(unit, assigned), depth);
}

/** Nothing at all is no pool of anybody's. */
function returnsOf({ ts }: Unit, fn: ts.FunctionLikeDeclaration): readonly ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isReturnStatement(n) && n.expression !== undefined && n.expression.kind !== ts.SyntaxKind.NullKeyword) found.push(n.expression);
    if (!ts.isFunctionLike(n)) ts.forEachChild(n, visit);
  };
  if (fn.body !== undefined) ts.forEachChild(fn.body, visit);
  return found;
}
