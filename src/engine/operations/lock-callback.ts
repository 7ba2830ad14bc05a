import type ts from 'typescript';
import { calleeOf, present, typeOf } from '../syntax/declared-type.js';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { chainMutex } from './local-mutex.js';
import { runsUnderLock } from './lock-words.js';
import type { Operation, TtlGiven } from './operation.js';
import { namedUnit } from '../syntax/named-unit.js';
import { UNKNOWN_FORM } from './result-form.js';

/** `withLock(key, ttl, fn)`, `runLock.lock(label, [id], fn)`: by the name, or that of its object, a key-like argument and the function that is run. */
export function callbackCall(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  const onLock = !runsUnderLock(name) && ts.isPropertyAccessExpression(callee) && RUNS.test(name) && isLockObject(unit, callee.expression);
  if (!runsUnderLock(name) && !onLock) return undefined;
  // What it does stands there to be read: it lines callers of this process up.
  const called = calleeOf(unit, call);
  if (called?.body !== undefined && chainMutex(called.signature.unit, called.body) !== undefined) return undefined;
  const body = call.arguments.findLast((a) => isFunction(unit, a));
  const before = body === undefined ? [] : call.arguments.slice(0, call.arguments.indexOf(body)).filter((a) => isKey(unit, a));
  // A plain text beside other arguments is a label.
  const key = onLock ? before.find((a) => !ts.isStringLiteralLike(bare(unit, a))) ?? before[0] : before.find((a) => a === call.arguments[0]);
  if (key === undefined || body === undefined) return undefined;
  return {
    node: call, kind: 'acquire', api: name, key: termOf(unit, key), evidence: 'name', owner: undefined, hasOwnerSlot: false, bare: false, result: UNKNOWN_FORM, link: 'key', scope: 'callback', body,
    ttl: ttlAmong(unit, call.arguments.slice(1)), receiver: ts.isPropertyAccessExpression(callee) ? termOf(unit, callee.expression) : undefined,
  };
}

/** What an object that is called a lock does with a function it gets. */
const RUNS = /^(?:lock|lockIf|tryLock|acquire|using|hold|run|exec|execute|runExclusive|runLocked|synchronized?)$/;
const LOCK_OBJECT = /(?:(?<![bc])lock|(?<![bc]|Un)Lock|[mM]utex|(?<!re)lease|(?<!Re)Lease)(?:s|er|ers|ing|Service|Manager|Client|Provider|Store)?$/;

function isLockObject(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  const e = bare(unit, node);
  return LOCK_OBJECT.test(ts.isIdentifier(e) ? e.text : ts.isPropertyAccessExpression(e) ? e.name.text : '');
}

function isFunction(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  const e = bare(unit, node);
  return ts.isArrowFunction(e) || ts.isFunctionExpression(e) || (ts.isIdentifier(e) && present(typeOf(unit, e)).kind === 'function');
}

function isKey(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  const e = bare(unit, node);
  if (ts.isStringLiteralLike(e) || ts.isTemplateExpression(e) || ts.isArrayLiteralExpression(e)) return true;
  const type = typeOf(unit, e);
  if (type.kind === 'primitive') return type.name === 'string' || type.name === 'number';
  const name = ts.isIdentifier(e) ? e.text : ts.isPropertyAccessExpression(e) ? e.name.text : '';
  return type.kind === 'unknown' ? /(?:key|id|name|resource)$/i.test(name) || ts.isCallExpression(e) : type.kind === 'literal' || type.kind === 'array' || type.kind === 'tuple';
}

function ttlAmong(unit: Unit, rest: readonly ts.Expression[]): TtlGiven {
  const { ts } = unit;
  const node = rest.find((a) => {
    const e = bare(unit, a);
    const type = typeOf(unit, e);
    return ts.isNumericLiteral(e) || (type.kind === 'primitive' && type.name === 'number') || (ts.isIdentifier(e) && /ttl|lease/i.test(e.text) && type.kind === 'unknown');
  });
  return node === undefined ? { kind: 'open' } : { kind: 'given', ttl: { term: termOf(unit, node), node, unit: 'ms', named: namedUnit(unit, node), whole: true } };
}
