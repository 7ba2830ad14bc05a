import type ts from 'typescript';
import type { AcquireOperation } from '../operations/operation.js';
import { bare, followed, nameText, propertyOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { handlerActs, type Acts } from './failure-acts.js';

/** The handler a lock object was made with for its loss: `new Mutex(redis, key, { onLockLost })`. Undefined where it was given none in sight. */
export function lostHandler(unit: Unit, { receiver, node }: AcquireOperation): { readonly node: ts.Node; readonly acts: Acts } | undefined {
  const { ts } = unit;
  const callee = ts.isCallExpression(node) ? bare(unit, node.expression) : undefined;
  if (receiver === undefined || callee === undefined || !ts.isPropertyAccessExpression(callee)) return undefined;
  const made = madeAt(unit, callee.expression);
  for (const argument of made?.arguments ?? []) {
    const object = ts.isSpreadElement(argument) ? undefined : followed(unit, argument);
    if (object === undefined || !ts.isObjectLiteralExpression(object)) continue;
    const handler = object.properties.find((p) => ts.isMethodDeclaration(p) && nameText(unit, p.name) === 'onLockLost') ?? propertyOf(unit, object, 'onLockLost');
    if (handler !== undefined) return { node: handler, acts: handlerActs(unit, handler) };
  }
  return undefined;
}

/** The `new` that a lock object comes from: a name, or a field of the class. */
export function madeAt(unit: Unit, on: ts.Expression): ts.NewExpression | undefined {
  const { ts } = unit;
  const e = followed(unit, on);
  if (ts.isNewExpression(e)) return e;
  if (!ts.isPropertyAccessExpression(e) || e.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  const name = e.name.text;
  let found: ts.NewExpression | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined) return;
    const value = ts.isPropertyDeclaration(n) && nameText(unit, n.name) === name ? n.initializer
      : ts.isBinaryExpression(n) && ts.isPropertyAccessExpression(n.left) && n.left.name.text === name ? n.right : undefined;
    const made = value && bare(unit, value);
    if (made !== undefined && ts.isNewExpression(made)) found = made;
    else ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return found;
}
