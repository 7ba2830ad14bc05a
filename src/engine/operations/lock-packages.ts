import type ts from 'typescript';
import { present, typeOf } from '../syntax/declared-type.js';
import { followed } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { acquireOf } from './lock-handle.js';
import { scopeOf } from './lock-records.js';
import type { Operation, TtlGiven } from './operation.js';
import { BOOLEAN_FORM, handleOrThrowsForm, VOID_OR_THROWS_FORM, type ResultForm } from './result-form.js';
import { array, constant, UNKNOWN } from './value.js';

const REDLOCK = new Set(['redlock', '@sesamecare-oss/redlock', 'redlock-temp-fix']);
const SEMAPHORE = 'redis-semaphore';
const VERROU = new Set(['@verrou/core', 'verrou']);

const METHODS = new Set(['acquire', 'lock', 'using', 'release', 'unlock', 'extend', 'tryAcquire', 'acquireImmediately', 'run', 'runImmediately']);

/** Calls on objects of lock packages, known by what the file imports. */
export function packageLockCall(unit: Unit, call: ts.CallExpression, callee: ts.PropertyAccessExpression): Operation | undefined {
  const method = callee.name.text;
  if (!METHODS.has(method)) return undefined;
  const type = present(typeOf(unit, callee.expression));
  if (type.kind === 'named' && type.from !== undefined && REDLOCK.has(type.from)) {
    return /lock$/i.test(type.name) && !/^(?:red)/i.test(type.name) ? redlockHandleCall(unit, call, callee.expression, method, acquireOf(unit, callee.expression)?.key) : redlockCall(unit, call, callee.expression, method);
  }
  if (type.kind === 'named' && type.from === SEMAPHORE) return mutexCall(unit, call, callee.expression, method, false);
  return isVerrouLock(unit, callee.expression) ? mutexCall(unit, call, callee.expression, method, true) : undefined;
}

function redlockCall(unit: Unit, call: ts.CallExpression, on: ts.Expression, method: string): Operation | undefined {
  const [first, second] = call.arguments;
  if (first === undefined || unit.ts.isSpreadElement(first)) return undefined;
  const receiver = termOf(unit, on);
  const subject = termOf(unit, first);
  const base = { node: call, key: subject, evidence: 'model' as const, receiver };
  const taken = { kind: 'acquire' as const, owner: undefined, hasOwnerSlot: false, bare: false, link: 'handle' as const, result: handleOrThrowsForm() };
  if (method === 'acquire' || method === 'lock') return { ...base, ...taken, api: `redlock.${method}`, ttl: milliseconds(unit, second), scope: scopeOf(unit, call) };
  const body = call.arguments.at(-1);
  if (method === 'using' && body !== undefined && call.arguments.length > 2) {
    return { ...base, ...taken, api: 'redlock.using', ttl: milliseconds(unit, second), scope: 'callback', body, result: VOID_OR_THROWS_FORM };
  }
  const given = { ...base, key: acquireOf(unit, first)?.key ?? subject, owner: undefined, ownerSlot: 'none' as const, ownerCheck: 'contract' as const, link: 'handle' as const, handle: subject, api: `redlock.${method}` };
  if (method === 'release' || method === 'unlock') return { ...given, kind: 'release', ifNotHeld: 'throws' };
  return method === 'extend' ? { ...given, kind: 'extend', recreates: false, ttl: milliseconds(unit, second) } : undefined;
}

/** `lock.release()`, `lock.extend(ttl)` of a lock that redlock gave. */
export function redlockHandleCall(unit: Unit, call: ts.CallExpression, on: ts.Expression, method: string, key?: Term): Operation | undefined {
  const handle = termOf(unit, on);
  const base = {
    node: call, key: key ?? handle, handle, evidence: 'model' as const, receiver: handle, api: `lock.${method}`, owner: undefined, ownerSlot: 'none' as const, ownerCheck: 'contract' as const,
    link: 'handle' as const,
  };
  if (method === 'release' || method === 'unlock') return { ...base, kind: 'release', ifNotHeld: 'throws' };
  return method === 'extend' ? { ...base, kind: 'extend', recreates: false, ttl: milliseconds(unit, call.arguments[0]) } : undefined;
}

function milliseconds(unit: Unit, node: ts.Expression | undefined): TtlGiven {
  if (node === undefined || unit.ts.isSpreadElement(node)) return { kind: 'open' };
  return { kind: 'given', ttl: { term: termOf(unit, node), node, unit: 'ms', named: namedUnit(unit, node), whole: true } };
}

/** Verrou answers `[executed, result]`. */
const RAN_FORM: ResultForm = { label: '[executed, result]', won: [array([constant(true), UNKNOWN])], lost: [array([constant(false), UNKNOWN])], throwsWhenLost: false };

/** Lock objects that know their key: redis-semaphore's mutexes and verrou's locks. */
function mutexCall(unit: Unit, call: ts.CallExpression, on: ts.Expression, method: string, isVerrou: boolean): Operation | undefined {
  const receiver = termOf(unit, on);
  const made = isVerrou ? verrouMaker(unit, on) : undefined;
  const [name, time] = made?.arguments ?? [];
  const base = { node: call, key: name === undefined || unit.ts.isSpreadElement(name) ? receiver : termOf(unit, name), evidence: 'model' as const, receiver, api: `${isVerrou ? 'verrou' : SEMAPHORE} ${method}`, link: 'receiver' as const, owner: undefined };
  // Half a minute, unless it is told otherwise: `null` is for ever.
  const lapses: TtlGiven = time === undefined || !isMadeAnew(unit, made) ? { kind: 'lapses-otherwise' } : verrouTtl(unit, time);
  const taken = { ...base, kind: 'acquire' as const, hasOwnerSlot: false, ttl: lapses, bare: false };
  if (method === 'acquire') return { ...taken, result: isVerrou ? BOOLEAN_FORM : VOID_OR_THROWS_FORM, scope: 'manual' };
  if (isVerrou ? method === 'acquireImmediately' : method === 'tryAcquire') return { ...taken, result: BOOLEAN_FORM, scope: 'manual' };
  const body = call.arguments[0];
  if (isVerrou && (method === 'run' || method === 'runImmediately') && body !== undefined) return { ...taken, result: RAN_FORM, scope: 'callback', body };
  const given = { ...base, handle: undefined, ownerSlot: 'none' as const, ownerCheck: 'contract' as const };
  if (method === 'release') return { ...given, kind: 'release', ifNotHeld: isVerrou ? 'throws' : 'harmless' };
  return isVerrou && method === 'extend' ? { ...given, kind: 'extend', recreates: false, ttl: lapses } : undefined;
}

/** A lock that is restored from its text keeps the TTL it had. */
function isMadeAnew({ ts }: Unit, made: ts.CallExpression | undefined): boolean {
  return made !== undefined && ts.isPropertyAccessExpression(made.expression) && made.expression.name.text === 'createLock';
}

function verrouTtl(unit: Unit, time: ts.Expression): TtlGiven {
  const { ts } = unit;
  const e = followed(unit, time);
  if (e.kind === ts.SyntaxKind.NullKeyword) return { kind: 'none' };
  // `'30s'` says its unit itself.
  return ts.isStringLiteralLike(e) || ts.isTemplateExpression(e) ? { kind: 'lapses-otherwise' } : { kind: 'given', ttl: { term: termOf(unit, time), node: time, unit: 'ms', named: namedUnit(unit, time) } };
}

function isVerrouLock(unit: Unit, node: ts.Expression): boolean {
  return verrouMaker(unit, node) !== undefined;
}

/** `verrou.createLock(key, ttl)`, held in a name. */
function verrouMaker(unit: Unit, node: ts.Expression): ts.CallExpression | undefined {
  const { ts } = unit;
  const e = followed(unit, node);
  if (!ts.isCallExpression(e) || !ts.isPropertyAccessExpression(e.expression)) return undefined;
  const made = e.expression.name.text;
  if (made !== 'createLock' && made !== 'restoreLock') return undefined;
  const inner = followed(unit, e.expression.expression);
  const on = ts.isCallExpression(inner) && ts.isPropertyAccessExpression(inner.expression) && inner.expression.name.text === 'use' ? inner.expression.expression : inner;
  const type = typeOf(unit, on);
  return type.kind === 'named' && type.from !== undefined && VERROU.has(type.from) ? e : undefined;
}
