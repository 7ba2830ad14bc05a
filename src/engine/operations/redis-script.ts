import type ts from 'typescript';
import { classifyLua } from '../embedded/lua-classify.js';
import type { LuaRef } from '../embedded/lua-types.js';
import { bare, propertyOf } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { definedCommand } from './redis-command.js';
import type { Operation, TtlGiven } from './operation.js';
import { UNKNOWN_FORM } from './result-form.js';

/** `eval(script, ..)` of any client as a lock operation; undefined when the text is not visible or is no lock script. */
export function scriptOperation(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const [text, ...rest] = call.arguments;
  const slots = text && slotsOf(unit, rest);
  return slots && operationOf(unit, call, text, slots);
}

/** `redis.unlock(key, token)`, where the file defines the command by a script: `defineCommand('unlock', { numberOfKeys: 1, lua })`. */
export function commandOperation(unit: Unit, call: ts.CallExpression, name: string): Operation | undefined {
  const command = definedCommand(unit, name);
  if (command === undefined || call.arguments.some((a) => unit.ts.isSpreadElement(a))) return undefined;
  const count = command.numberOfKeys === undefined ? undefined : termOf(unit, command.numberOfKeys);
  if (count === undefined) return operationOf(unit, call, command.lua, slotsOf(unit, call.arguments));
  if (count.kind !== 'const' || typeof count.value !== 'number') return undefined;
  return operationOf(unit, call, command.lua, { keys: call.arguments.slice(0, count.value), args: call.arguments.slice(count.value) });
}

function operationOf(unit: Unit, call: ts.CallExpression, text: ts.Expression, slots: Slots | undefined): Operation | undefined {
  const script = termOf(unit, text);
  if (script.kind !== 'const' || typeof script.value !== 'string') return undefined;
  const lua = classifyLua(script.value);
  const resolve = resolver(unit);
  const key = slots && lua.key && resolve(lua.key, slots);
  if (slots === undefined || key === undefined) return undefined;

  const owner = lua.owner && resolve(lua.owner, slots)?.term;
  const receiver = receiverOf(unit, call);
  const base = { node: call, api: 'redis script', key: key.term, evidence: 'model' as const, owner, receiver };
  const byKey = { link: 'key' as const, handle: undefined, ownerSlot: owner === undefined ? ('none' as const) : ('given' as const) };
  if (lua.kind === 'release') return { ...base, ...byKey, kind: 'release', ownerCheck: lua.ownerCheck, ifNotHeld: lua.ownerCheck === 'atomic' ? 'harmless' : lua.ownerCheck === 'none' ? 'deletes-other' : 'unknown' };
  if (lua.kind === 'acquire') return { ...base, kind: 'acquire', hasOwnerSlot: true, ttl: ttl(), bare: false, result: UNKNOWN_FORM, link: 'key', scope: 'manual', reenters: lua.reentrant };
  if (lua.kind === 'extend') return { ...base, ...byKey, kind: 'extend', ownerCheck: lua.ownerCheck, recreates: lua.recreates, ttl: ttl() };
  return undefined;

  function ttl(): TtlGiven {
    if (lua.ttl === undefined) return { kind: 'none' };
    const value = slots && resolve(lua.ttl.ref, slots);
    return value === undefined ? { kind: 'open' } : { kind: 'given', ttl: { term: value.term, node: value.node, unit: lua.ttl.unit, named: namedUnit(unit, value.node), whole: true } };
  }
}

/** A script run by its digest: the text is elsewhere, so what it does to the lock is unknown. */
export function digestOperation(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const slots = slotsOf(unit, call.arguments.slice(1));
  const key = slots?.keys[0];
  return key && {
    node: call, api: 'EVALSHA', key: termOf(unit, key), evidence: 'model', kind: 'release', ownerCheck: 'unknown', link: 'key', handle: undefined, owner: undefined,
    ownerSlot: 'none', ifNotHeld: 'unknown', receiver: receiverOf(unit, call),
  };
}

function receiverOf(unit: Unit, call: ts.CallExpression): Term | undefined {
  const callee = bare(unit, call.expression);
  return unit.ts.isPropertyAccessExpression(callee) ? termOf(unit, callee.expression) : undefined;
}

interface Slots { readonly keys: readonly ts.Expression[]; readonly args: readonly ts.Expression[] }

/** ioredis `n, ...keys, ...args`; node-redis `{ keys, arguments }`; Upstash `keys[], args[]`. */
function slotsOf(unit: Unit, rest: readonly ts.Expression[]): Slots | undefined {
  const { ts } = unit;
  const first = rest[0] && bare(unit, rest[0]);
  if (first === undefined) return undefined;
  if (ts.isObjectLiteralExpression(first)) return { keys: elements(propertyOf(unit, first, 'keys')), args: elements(propertyOf(unit, first, 'arguments')) };
  if (ts.isArrayLiteralExpression(first)) return { keys: elements(first), args: elements(rest[1]) };
  const count = termOf(unit, first);
  if (count.kind !== 'const' || typeof count.value !== 'number' || rest.some((a) => ts.isSpreadElement(a))) return undefined;
  return { keys: rest.slice(1, 1 + count.value), args: rest.slice(1 + count.value) };

  function elements(node: ts.Expression | undefined): readonly ts.Expression[] {
    const list = node && bare(unit, node);
    return list !== undefined && ts.isArrayLiteralExpression(list) && !list.elements.some((e) => ts.isSpreadElement(e)) ? list.elements : [];
  }
}

/** The value a script reference stands for at this call. */
function resolver(unit: Unit): (ref: LuaRef, slots: Slots) => { term: Term; node: ts.Expression | undefined } | undefined {
  return (ref, slots) => {
    if (ref.kind === 'literal') return { term: { kind: 'const', value: ref.value }, node: undefined };
    if (ref.kind === 'other') return undefined;
    const node = (ref.kind === 'key' ? slots.keys : slots.args)[ref.index - 1];
    return node && { term: termOf(unit, node), node };
  };
}
