import type ts from 'typescript';
import { bare, followed } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import type { Operation } from './operation.js';
import { NULL_WHEN_FREE_FORM, OK_OR_NULL_FORM, type ResultForm } from './result-form.js';
import { constant } from './value.js';
import { isFreedAfterCompare } from './lock-compared.js';
import { commandOperation, digestOperation, scriptOperation } from './redis-script.js';
import { readSetOptions } from './redis-set.js';

/**
 * A call as a raw Redis operation on a key, in the spellings of ioredis, node-redis, Upstash and structural clients. DEL, EXPIRE and SET are
 * operations on a lock only if the key is one; that is decided where all operations of the file are known.
 */
export function redisOperation(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const [keyNode, valueNode, ...options] = call.arguments;
  const method = callee.name.text.toLowerCase();
  if (method === 'eval') return scriptOperation(unit, call);
  if (method === 'evalsha') return digestOperation(unit, call);
  const own = commandOperation(unit, call, callee.name.text);
  if (own !== undefined) return own;
  if (keyNode === undefined || ts.isSpreadElement(keyNode)) return undefined;
  if (isQueued(unit, callee.expression)) return undefined;
  const base = { node: call, key: termOf(unit, keyNode), evidence: 'model' as const };
  const receiver = termOf(unit, callee.expression);
  const byKey = { link: 'key' as const, handle: undefined, owner: undefined, ownerSlot: 'none' as const, receiver };

  if (method === 'set' && valueNode !== undefined) {
    const { nx, xx, get, ttl } = readSetOptions(unit, options);
    if (nx) return { ...base, ...LEASE, kind: 'acquire', api: 'SET NX', owner: termOf(unit, valueNode), ttl, bare: false, result: get ? NULL_WHEN_FREE_FORM : OK_OR_NULL_FORM, receiver };
    if (xx) return { ...base, ...byKey, kind: 'extend', api: 'SET XX', ownerCheck: 'none', recreates: false, ttl, value: termOf(unit, valueNode) };
    return { ...base, kind: 'overwrite', api: 'SET', value: termOf(unit, valueNode), ttl };
  }
  if ((method === 'setex' || method === 'psetex') && valueNode !== undefined && options[0] !== undefined) {
    const unitOf = method === 'setex' ? 's' : 'ms';
    return { ...base, kind: 'overwrite', api: method.toUpperCase(), value: termOf(unit, options[0]), ttl: { kind: 'given', ttl: { term: termOf(unit, valueNode), node: valueNode, unit: unitOf, named: namedUnit(unit, valueNode), whole: true } } };
  }
  if (method === 'setnx' && valueNode !== undefined) {
    return { ...base, ...LEASE, kind: 'acquire', api: 'SETNX', owner: termOf(unit, valueNode), ttl: { kind: 'none' }, bare: true, result: SETNX_FORM, receiver };
  }
  if (method === 'del' || method === 'unlink') return call.arguments.length === 1 ? { ...base, ...byKey, kind: 'release', api: method.toUpperCase(), ownerCheck: 'none', ifNotHeld: 'deletes-other', compared: isFreedAfterCompare(unit, call, base.key) } : undefined;
  if ((method === 'expire' || method === 'pexpire') && valueNode !== undefined) {
    const unitOf = method === 'expire' ? 's' : 'ms';
    return { ...base, ...byKey, kind: 'extend', api: method.toUpperCase(), ownerCheck: 'none', recreates: false, ttl: { kind: 'given', ttl: { term: termOf(unit, valueNode), node: valueNode, unit: unitOf, named: namedUnit(unit, valueNode), whole: true } } };
  }
  return method === 'get' && call.arguments.length === 1 ? { ...base, kind: 'inspect', api: 'GET' } : undefined;
}

const LEASE = { hasOwnerSlot: true, link: 'key', scope: 'manual' } as const;

/** 1 or 0; node-redis 4 answers true or false. */
const SETNX_FORM: ResultForm = { label: '1 or 0', won: [constant(1)], lost: [constant(0)], throwsWhenLost: false };

/** Commands of a MULTI run as one step, so that they cannot be read one by one. */
function isQueued(unit: Unit, receiver: ts.Expression): boolean {
  const { ts } = unit;
  let e = followed(unit, receiver);
  while (ts.isCallExpression(e) && ts.isPropertyAccessExpression(e.expression)) {
    if (e.expression.name.text === 'multi') return true;
    e = followed(unit, e.expression.expression);
  }
  return false;
}
