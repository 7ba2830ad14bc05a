import type ts from 'typescript';
import { typeOf } from '../syntax/declared-type.js';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { SignatureParameter } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';
import { scopeOf } from './lock-records.js';
import { ownerSlotOf, slotsOf, termAt, ttlOf } from './lock-slots.js';
import { counterparts, lockRole, slotRole, speaksOfLocks } from './lock-words.js';
import type { Operation } from './operation.js';
import { UNKNOWN_FORM } from './result-form.js';

/**
 * A function that is imported from a file or package that cannot be read. Its name has to speak of locks, and the arguments have to look like a key and a TTL
 * or an owner; a release has to be imported along with its acquire.
 */
export function importedLockCall(unit: Unit, call: ts.CallExpression, callee: ts.Identifier): Operation | undefined {
  const role = lockRole(callee.text);
  const first = call.arguments[0];
  if (role === undefined || !speaksOfLocks(callee.text) || first === undefined || call.arguments.some((a) => unit.ts.isSpreadElement(a))) return undefined;
  const slots = slotsOf({ parameters: call.arguments.map((a, i) => parameterLike(unit, a, i)) });
  const key = termAt(unit, call, slots.key) ?? termOf(unit, first);
  const base = { node: call, api: callee.text, key, evidence: 'name' as const, receiver: undefined, owner: termAt(unit, call, slots.owner) };
  if (role === 'acquire') {
    if (slots.key?.index !== 0 || (slots.ttl === undefined && slots.owner === undefined)) return undefined;
    return { ...base, kind: 'acquire', hasOwnerSlot: slots.owner !== undefined, ttl: ttlOf(unit, call, slots.ttl), bare: false, result: UNKNOWN_FORM, link: 'key', scope: scopeOf(unit, call) };
  }
  const twin = counterparts(callee.text, role).some((n) => unit.scopes.lookup(n, call)?.kind === 'import');
  if (!twin || slots.key?.index !== 0) return undefined;
  const ownerSlot = ownerSlotOf(unit, call, slots.owner);
  const given = { ...base, link: 'key' as const, handle: undefined, ownerSlot, ownerCheck: ownerSlot === 'given' ? 'contract' as const : 'unknown' as const };
  if (role === 'extend') return { ...given, kind: 'extend', recreates: false, ttl: ttlOf(unit, call, slots.ttl) };
  return { ...given, kind: 'release', ifNotHeld: ownerSlot === 'given' ? 'harmless' : 'unknown' };
}

/** What the argument tells of the parameter: its name, or what kind of literal it is. */
function parameterLike(unit: Unit, argument: ts.Expression, index: number): SignatureParameter {
  const { ts } = unit;
  const e = bare(unit, argument);
  const own = ts.isIdentifier(e) ? e.text : ts.isPropertyAccessExpression(e) ? e.name.text : '';
  // `LOCK_TTL_MS` is spelled as `lockTtlMs`.
  const name = /^[A-Z0-9_]+$/.test(own) ? own.toLowerCase().replace(/_(\w)/g, (_, c: string) => c.toUpperCase()) : own;
  const text = ts.isStringLiteralLike(e) || ts.isTemplateExpression(e);
  const guess = index === 0 && (text || slotRole(name) === 'other') ? 'key' : index > 0 && ts.isNumericLiteral(e) ? 'ttl' : name;
  return { name: guess, optional: false, rest: false, type: typeOf(unit, e) };
}
