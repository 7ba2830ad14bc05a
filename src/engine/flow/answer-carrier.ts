import type ts from 'typescript';
import { bare, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** The expression whose value the answer of a call becomes: the call itself, or the promise whose `resolve` it is handed to. */
export function answerOf(unit: Unit, call: ts.Expression): ts.Expression {
  let e = wholeValue(unit, call);
  for (let depth = 0; depth < 4; depth++) {
    const promise = promiseSettledBy(unit, e);
    if (promise === undefined) return e;
    e = wholeValue(unit, promise);
  }
  return e;
}

/** Whether an answer without a name of its own goes to code that is not followed: an argument, a part of a list or object, whoever awaits a promise. */
export function goesElsewhere(unit: Unit, call: ts.Expression): boolean {
  const { ts } = unit;
  const whole = wholeValue(unit, call);
  const p = whole.parent;
  return ts.isCallExpression(p) || ts.isNewExpression(p) || ts.isArrayLiteralExpression(p) || ts.isPropertyAssignment(p) || ts.isSpreadElement(p) || thenHandler(unit, whole) !== undefined;
}

/** `.then(resolve)`, `.then((v) => resolve(v))`, `resolve(await call())` inside of `new Promise((resolve) => ..)`. */
function promiseSettledBy(unit: Unit, e: ts.Expression): ts.NewExpression | undefined {
  const { ts } = unit;
  const handler = thenHandler(unit, e);
  if (handler !== undefined) return promiseOf(unit, ts.isArrowFunction(handler) ? passedOn(unit, handler) : handler);
  const p = e.parent;
  return ts.isCallExpression(p) && p.arguments[0] === e ? promiseOf(unit, p.expression) : undefined;
}

function thenHandler(unit: Unit, e: ts.Expression): ts.Expression | undefined {
  const { ts } = unit;
  const p = e.parent;
  const handler = ts.isPropertyAccessExpression(p) && p.expression === e && p.name.text === 'then' && ts.isCallExpression(p.parent) && p.parent.expression === p ? p.parent.arguments[0] : undefined;
  return handler && bare(unit, handler);
}

/** `resolve` of `(v) => resolve(v)`. */
function passedOn(unit: Unit, handler: ts.ArrowFunction): ts.Expression | undefined {
  const { ts } = unit;
  const [parameter] = handler.parameters;
  const body = ts.isBlock(handler.body) ? undefined : bare(unit, handler.body);
  const given = body !== undefined && ts.isCallExpression(body) ? body.arguments[0] : undefined;
  if (body === undefined || !ts.isCallExpression(body) || given === undefined || parameter === undefined) return undefined;
  return ts.isIdentifier(given) && ts.isIdentifier(parameter.name) && given.text === parameter.name.text ? body.expression : undefined;
}

/** The promise that a name settles, as the first parameter of the function it is made with. */
function promiseOf(unit: Unit, settles: ts.Expression | undefined): ts.NewExpression | undefined {
  const { ts } = unit;
  const declared = settles !== undefined && ts.isIdentifier(settles) ? unit.scopes.resolve(settles)?.declaration : undefined;
  if (declared === undefined || !ts.isParameter(declared) || declared.parent.parameters[0] !== declared) return undefined;
  const made = declared.parent.parent;
  return ts.isNewExpression(made) && ts.isIdentifier(made.expression) && made.expression.text === 'Promise' && made.arguments?.[0] === declared.parent ? made : undefined;
}
