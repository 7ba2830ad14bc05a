import type ts from 'typescript';
import type { AcquireOperation } from '../operations/operation.js';
import type { Place, WitnessStep } from '../place.js';
import { importSource } from '../operations/import-source.js';
import { exportOf, importTarget } from '../syntax/declared-import.js';
import { bare, enclosingFunction, followed, initialiserOf, isFunctionWithBody, nameText, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** A retry without end that a library makes: where its settings say so, and the steps to it. */
export interface LibraryRetry {
  readonly at: Place;
  readonly witness: readonly WitnessStep[];
}

/** The library that asks again is told never to stop: `new Redlock(clients, { retryCount: -1 })`, `pRetry(() => lock(), { forever: true })`. */
export function endlessByLibrary(unit: Unit, acquire: AcquireOperation): LibraryRetry | undefined {
  return /^redlock\./.test(acquire.api) ? byRedlock(unit, acquire) : byRetrier(unit, acquire);
}

/** The settings of the call count before those of the object. */
function byRedlock(unit: Unit, acquire: AcquireOperation): LibraryRetry | undefined {
  const { ts } = unit;
  const { node } = acquire;
  const callee = ts.isCallExpression(node) ? bare(unit, node.expression) : undefined;
  if (!ts.isCallExpression(node) || callee === undefined || !ts.isPropertyAccessExpression(callee)) return undefined;
  const own = node.arguments.slice(2).map((a) => countIn(unit, a)).find((c) => c !== undefined);
  const made = own === undefined ? madeBy(unit, callee.expression, 0) : undefined;
  const count = own ?? (made?.node.arguments ?? []).map((a) => made && countIn(made.unit, a)).find((c) => c !== undefined);
  if (count !== 'endless') return undefined;
  const at = unit.placeOf(node);
  return { at, witness: [...(made === undefined ? [] : [{ place: made.unit.placeOf(made.node), role: 'enter' as const, note: 'its settings ask for tries without end' }]), { place: at, role: 'acquire', note: 'waits as long as another worker holds it' }] };
}

/** What `retryCount` of settings says; undefined where they have none. */
function countIn(unit: Unit, node: ts.Expression): 'endless' | 'other' | undefined {
  const settings = followed(unit, node);
  const count = unit.ts.isObjectLiteralExpression(settings) ? propertyOf(unit, settings, 'retryCount') : undefined;
  if (count === undefined) return undefined;
  const term = termOf(unit, count);
  return isInfinite(unit, count) || (term.kind === 'const' && term.value === -1) ? 'endless' : 'other';
}

function isInfinite(unit: Unit, node: ts.Expression): boolean {
  return /^(?:Infinity|Number\.(?:POSITIVE_INFINITY|MAX_SAFE_INTEGER|MAX_VALUE))$/.test(followed(unit, node).getText(unit.file));
}

interface Made { readonly unit: Unit; readonly node: ts.NewExpression }

/** The `new Redlock(..)` behind a name, a field of the class, or a name of another file. */
function madeBy(unit: Unit, node: ts.Expression, depth: number): Made | undefined {
  const { ts } = unit;
  if (depth > 3) return undefined;
  const e = followed(unit, node);
  if (ts.isNewExpression(e)) return { unit, node: e };
  if (ts.isPropertyAccessExpression(e) && e.expression.kind === ts.SyntaxKind.ThisKeyword) {
    const value = fieldValue(unit, e);
    return value && madeBy(unit, value, depth + 1);
  }
  const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
  const target = binding && importTarget(unit, binding.declaration);
  const found = target?.kind === 'file' ? exportOf(target.unit, target.name) : undefined;
  if (found === undefined || 'kind' in found) return undefined;
  const inner = found.unit.scopes.lookup(found.name, found.unit.file);
  const value = (inner && initialiserOf(found.unit, inner)) ?? found.expression;
  return value && madeBy(found.unit, value, depth + 1);
}

/** What the class puts into a field, where it does so once. */
function fieldValue(unit: Unit, field: ts.PropertyAccessExpression): ts.Expression | undefined {
  const { ts } = unit;
  let home: ts.Node = field;
  while (!ts.isClassLike(home)) {
    if (ts.isSourceFile(home)) return undefined;
    home = home.parent;
  }
  const values: ts.Expression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isPropertyDeclaration(n) && n.initializer !== undefined && nameText(unit, n.name) === field.name.text) values.push(n.initializer);
    if (ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isPropertyAccessExpression(n.left) && n.left.expression.kind === ts.SyntaxKind.ThisKeyword && n.left.name.text === field.name.text) values.push(n.right);
    ts.forEachChild(n, visit);
  };
  visit(home);
  return values.length === 1 ? values[0] : undefined;
}

const RETRIERS = /^(?:p-retry|async-retry|promise-retry|retry)$/;

/** The acquire stands in a function that a retrier calls until it throws no more, and a refusal makes it throw. */
function byRetrier(unit: Unit, acquire: AcquireOperation): LibraryRetry | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  const call = fn.parent;
  if (ts.isSourceFile(fn) || !ts.isCallExpression(call) || !call.arguments.some((a) => a === fn)) return undefined;
  const callee = bare(unit, call.expression);
  const from = ts.isIdentifier(callee) ? importSource(unit, callee)?.from : undefined;
  if (from === undefined || !RETRIERS.test(from) || !call.arguments.some((a) => a !== fn && isEndless(unit, a)) || !throwsWhenRefused(unit, acquire, fn)) return undefined;
  const at = unit.placeOf(call);
  return { at, witness: [{ place: unit.placeOf(acquire.node), role: 'acquire', note: 'refused: another worker holds it' }, { place: at, role: 'call', note: 'asks again' }] };
}

/** `forever: true`, or tries without number; a time or a signal ends them all the same. */
function isEndless(unit: Unit, node: ts.Expression): boolean {
  const options = followed(unit, node);
  if (!unit.ts.isObjectLiteralExpression(options)) return false;
  const bound = ['signal', 'maxRetryTime', 'shouldRetry', 'onFailedAttempt'].some((name) => propertyOf(unit, options, name) !== undefined);
  const forever = propertyOf(unit, options, 'forever');
  const retries = propertyOf(unit, options, 'retries');
  return !bound && ((forever !== undefined && bare(unit, forever).kind === unit.ts.SyntaxKind.TrueKeyword) || (retries !== undefined && isInfinite(unit, retries)));
}

/** Only where nothing else leaves the tries: no call that gives up for good. */
function throwsWhenRefused(unit: Unit, { node, result }: AcquireOperation, fn: ts.Node): boolean {
  const { ts } = unit;
  let throws = result.lost.length === 0 && result.throwsWhenLost;
  let givesUp = false;
  const visit = (n: ts.Node): void => {
    if (ts.isThrowStatement(n) && n.pos > node.end) throws = true;
    if (ts.isNewExpression(n) && /Abort/.test(n.expression.getText(unit.file))) givesUp = true;
    if (ts.isIdentifier(n) && /^(?:bail|abort)$/.test(n.text)) givesUp = true;
    if (!isFunctionWithBody(unit, n) || n === fn) ts.forEachChild(n, visit);
  };
  visit(fn);
  return throws && !givesUp;
}
