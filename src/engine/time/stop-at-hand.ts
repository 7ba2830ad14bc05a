import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** A call elsewhere in the class, or in the file, that stops the work of a lock by an abort controller: whoever renews the lock could do the same. Undefined where there is none. */
export function stopAtHand(unit: Unit, renewal: ts.Node): ts.CallExpression | undefined {
  const { ts } = unit;
  const own = enclosingFunction(unit, renewal);
  let found: ts.CallExpression | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined || n === own) return;
    if (ts.isCallExpression(n) && calledName(unit, n) === 'abort' && ts.isPropertyAccessExpression(n.expression) && /abort|controller|cancel/i.test(n.expression.expression.getText(unit.file))) found = n;
    ts.forEachChild(n, visit);
  };
  visit(classAround(unit, renewal) ?? unit.file);
  return found;
}

function classAround({ ts }: Unit, node: ts.Node): ts.Node | undefined {
  for (let n: ts.Node | undefined = node.parent; n; n = n.parent) if (ts.isClassLike(n)) return n;
  return undefined;
}
