import type ts from 'typescript';
import { bare, followed, wholeValue } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import type { Operation, ReleaseOperation } from './operation.js';
import { NULL_WHEN_FREE_FORM, OK_OR_NULL_FORM, UNKNOWN_FORM, type ResultForm } from './result-form.js';
import { constant } from './value.js';
import { isFreedAfterCompare } from './lock-compared.js';
import { redisCall } from './redis-call.js';
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
  const method = callee.name.text.toLowerCase();
  if (method === 'eval') return scriptOperation(unit, call);
  if (method === 'evalsha') return digestOperation(unit, call);
  const own = commandOperation(unit, call, callee.name.text);
  if (own !== undefined) return own;
  const sent = redisCall(unit, call);
  const [keyNode, valueNode, ...options] = sent?.args ?? [];
  // Asked before anything is read: most methods of most objects are no command of these.
  if (sent === undefined || !COMMANDS.has(sent.command)) return undefined;
  if (keyNode === undefined || ts.isSpreadElement(keyNode) || isQueued(unit, sent.receiver, 'multi')) return undefined;
  const { command } = sent;
  const base = { node: call, key: termOf(unit, keyNode), evidence: 'model' as const };
  const receiver = termOf(unit, sent.receiver);
  const byKey = { link: 'key' as const, handle: undefined, owner: undefined, ownerSlot: 'none' as const, receiver };
  const unchecked = { ...base, ...byKey, kind: 'release' as const, api: command.toUpperCase(), ownerCheck: 'none' as const, ifNotHeld: 'deletes-other' as const };

  const inList = isQueued(unit, sent.receiver, 'pipeline');
  if (command === 'set' && valueNode !== undefined) {
    const { nx, xx, get, ttl, ifEqual } = readSetOptions(unit, options);
    if (nx) return { ...base, ...LEASE, kind: 'acquire', api: 'SET NX', owner: termOf(unit, valueNode), ttl, bare: false, result: inList ? UNKNOWN_FORM : get ? NULL_WHEN_FREE_FORM : OK_OR_NULL_FORM, receiver };
    if (ifEqual !== undefined) return { ...base, ...byOwner(ifEqual), receiver, kind: 'extend', api: 'SET IFEQ', recreates: false, ttl, value: termOf(unit, valueNode) };
    if (xx) return { ...base, ...byKey, kind: 'extend', api: 'SET XX', ownerCheck: 'none', recreates: false, ttl, value: termOf(unit, valueNode) };
    return { ...base, kind: 'overwrite', api: 'SET', value: termOf(unit, valueNode), ttl };
  }
  if ((command === 'setex' || command === 'psetex') && valueNode !== undefined && options[0] !== undefined) {
    const unitOf = command === 'setex' ? 's' : 'ms';
    return { ...base, kind: 'overwrite', api: command.toUpperCase(), value: termOf(unit, options[0]), ttl: { kind: 'given', ttl: { term: termOf(unit, valueNode), node: valueNode, unit: unitOf, named: namedUnit(unit, valueNode), whole: true } } };
  }
  if (command === 'setnx' && valueNode !== undefined) {
    return { ...base, ...LEASE, kind: 'acquire', api: 'SETNX', owner: termOf(unit, valueNode), ttl: { kind: 'none' }, bare: true, result: inList ? UNKNOWN_FORM : SETNX_FORM, receiver };
  }
  if (command === 'del' || command === 'unlink') return sent.args.length === 1 ? { ...unchecked, compared: isFreedAfterCompare(unit, call, base.key) } : undefined;
  // Whoever reads what stands there takes data out, not a lock; whoever only compares it does so after the deletion.
  if (command === 'getdel') return sent.args.length === 1 && (ts.isExpressionStatement(wholeValue(unit, call).parent) || isOnlyCompared(unit, call)) ? unchecked : undefined;
  if (command === 'delex') {
    const owner = readSetOptions(unit, valueNode === undefined ? [] : [valueNode, ...options]).ifEqual;
    return owner === undefined ? unchecked : { ...base, ...byOwner(owner), receiver, kind: 'release', api: 'DELEX IFEQ', ifNotHeld: 'harmless' };
  }
  if ((command === 'expire' || command === 'pexpire') && valueNode !== undefined) {
    // A time to live of nothing deletes the key.
    if (isZero(termOf(unit, valueNode))) return { ...unchecked, compared: isFreedAfterCompare(unit, call, base.key) };
    const unitOf = command === 'expire' ? 's' : 'ms';
    return { ...base, ...byKey, kind: 'extend', api: command.toUpperCase(), ownerCheck: 'none', recreates: false, ttl: { kind: 'given', ttl: { term: termOf(unit, valueNode), node: valueNode, unit: unitOf, named: namedUnit(unit, valueNode), whole: true } } };
  }
  return command === 'get' && sent.args.length === 1 ? { ...base, kind: 'inspect', api: 'GET' } : undefined;
}

/** `(await redis.getdel(key)) === token`, or by way of a name. */
function isOnlyCompared(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  const isCompared = (e: ts.Expression): boolean => ts.isBinaryExpression(e.parent) && /^[!=]==?$/.test(e.parent.operatorToken.getText(unit.file));
  const whole = wholeValue(unit, call);
  const binding = ts.isVariableDeclaration(whole.parent) && ts.isIdentifier(whole.parent.name) ? unit.scopes.resolve(whole.parent.name) : undefined;
  if (binding === undefined) return isCompared(whole);
  const uses: ts.Identifier[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isIdentifier(n) && n !== binding.id && unit.scopes.resolve(n) === binding) uses.push(n);
    ts.forEachChild(n, visit);
  };
  visit(binding.scope);
  return uses.length > 0 && uses.every(isCompared);
}

const COMMANDS = new Set(['set', 'setex', 'psetex', 'setnx', 'del', 'unlink', 'getdel', 'delex', 'expire', 'pexpire', 'get']);

/** Redis 8.4 compares by itself. */
function byOwner(owner: Term): Pick<ReleaseOperation, 'link' | 'handle' | 'owner' | 'ownerSlot' | 'ownerCheck'> {
  return { link: 'key', handle: undefined, owner, ownerSlot: 'given', ownerCheck: 'atomic' };
}

function isZero(term: Term): boolean {
  return term.kind === 'const' && (term.value === 0 || term.value === '0');
}

const LEASE = { hasOwnerSlot: true, link: 'key', scope: 'manual' } as const;

/** 1 or 0; node-redis 4 answers true or false. */
const SETNX_FORM: ResultForm = { label: '1 or 0', won: [constant(1)], lost: [constant(0)], throwsWhenLost: false };

/** Commands of a MULTI run as one step, so that they cannot be read one by one; those of a `pipeline` answer all in one list. */
function isQueued(unit: Unit, receiver: ts.Expression, by: 'multi' | 'pipeline'): boolean {
  const { ts } = unit;
  let e = followed(unit, receiver);
  while (ts.isCallExpression(e) && ts.isPropertyAccessExpression(e.expression)) {
    if (e.expression.name.text === by) return true;
    e = followed(unit, e.expression.expression);
  }
  return false;
}
