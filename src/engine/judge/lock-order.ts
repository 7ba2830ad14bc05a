import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { hasConstantText, sameKey } from '../operations/lock-keys.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import { walkTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';

/**
 * Two locks of one kind whose order the caller's arguments decide: `transfer(from, to)` locks `account:from`, then `account:to`. Whoever calls it the other way round takes
 * them in the opposite order. Not where the function compares or sorts first.
 */
export function takenInCallersOrder(unit: Unit, outer: Term, inner: Term, node: ts.Node): boolean {
  if (!hasConstantText(outer) || !sameKey(outer, inner) || sameTerm(outer, inner)) return false;
  const [a, b] = [parameterOf(unit, outer, node), parameterOf(unit, inner, node)];
  if (a === undefined || b === undefined || a === b) return false;
  return !isOrdered(unit, node);
}

/** The one hole of a key, where it is a parameter of a function around the node; its text. */
function parameterOf(unit: Unit, key: Term, node: ts.Node): string | undefined {
  const holes = key.kind === 'template' ? key.parts.filter((p) => p.kind !== 'const') : [];
  const [hole] = holes;
  if (holes.length !== 1 || hole === undefined) return undefined;
  let root: string | undefined;
  let text = '';
  walkTerm(hole, (t) => {
    if (t.kind === 'symbol') {
      root = unit.scopes.lookup(t.name, node)?.kind === 'param' ? t.name : undefined;
      text += t.name;
    } else if (t.kind === 'path') text += `.${t.prop}`;
    else root = undefined;
  });
  return root === undefined ? undefined : text;
}

function isOrdered(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  let outermost: ts.Node = enclosingFunction(unit, node);
  for (let n: ts.Node = outermost; !ts.isSourceFile(n); n = n.parent) if (isFunctionWithBody(unit, n)) outermost = n;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (found) return;
    if (ts.isCallExpression(n) && /^(?:sort\w*|toSorted|localeCompare|compare\w*|orderBy|min|max|order\w*)$/.test(calledName(unit, n))) found = true;
    if (ts.isBinaryExpression(n) && [ts.SyntaxKind.LessThanToken, ts.SyntaxKind.GreaterThanToken, ts.SyntaxKind.LessThanEqualsToken, ts.SyntaxKind.GreaterThanEqualsToken].includes(n.operatorToken.kind)) found = true;
    ts.forEachChild(n, visit);
  };
  visit(outermost);
  return found;
}
