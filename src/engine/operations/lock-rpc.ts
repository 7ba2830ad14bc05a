import type ts from 'typescript';
import { bare, followed, nameText } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { lockRole, slotRole, slotUnit, speaksOfLocks, type LockRole, type SlotRole } from './lock-words.js';
import type { Operation, TtlGiven } from './operation.js';
import type { ResultForm } from './result-form.js';
import { constant, object } from './value.js';

/** A function of the database answers `{ data, error }`; that it answers a boolean is the custom of those who lock. */
const DATA_FORM: ResultForm = {
  label: 'object with data', throwsWhenLost: false,
  won: [object({ data: constant(true), error: constant(null) })], lost: [object({ data: constant(false), error: constant(null) })],
};

/**
 * `supabase.rpc('acquire_lock', { lock_key, owner, ttl_seconds })`: a function of the database that is called by what it does. A name proves no more than a name: its role and a
 * key among its arguments are asked for.
 */
export function rpcLockCall(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const [nameNode, argsNode] = call.arguments;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'rpc' || nameNode === undefined || argsNode === undefined) return undefined;
  const named = termOf(unit, nameNode);
  const args = followed(unit, argsNode);
  if (named.kind !== 'const' || typeof named.value !== 'string' || !ts.isObjectLiteralExpression(args)) return undefined;
  const role = roleOf(named.value);
  const slots = slotsOf(unit, args);
  const key = slots.get('key');
  if (role === undefined || key === undefined) return undefined;
  const owner = slots.get('owner');
  const isOfSession = /advisory/.test(named.value);
  const base = { node: call, api: named.value, key: termOf(unit, key.node), evidence: 'name' as const, receiver: termOf(unit, callee.expression), owner: owner && termOf(unit, owner.node) };
  const ttl = isOfSession ? { kind: 'lapses-otherwise' as const } : ttlOf(unit, slots.get('ttl'));
  if (role === 'acquire') return { ...base, kind: 'acquire', hasOwnerSlot: owner !== undefined, ttl, bare: false, result: DATA_FORM, link: 'key', scope: 'manual' };
  const given = { ...base, link: 'key' as const, handle: undefined, ownerSlot: owner === undefined ? 'none' as const : 'given' as const, ownerCheck: owner === undefined ? 'unknown' as const : 'contract' as const };
  return role === 'release' ? { ...given, kind: 'release', ifNotHeld: owner === undefined ? 'unknown' : 'harmless' } : { ...given, kind: 'extend', recreates: false, ttl };
}

/** `acquire_job_lock`, `pg_try_advisory_lock`, `release_lease`. */
function roleOf(name: string): LockRole | undefined {
  const plain = name.replace(/^pg_|advisory_/g, '').replace(/_(\w)/g, (_, c: string) => c.toUpperCase());
  if (!speaksOfLocks(plain)) return undefined;
  return lockRole(plain) ?? (/^(?:try)?(?:acquire|take|claim|obtain)\w*(?:Lock|Lease)$/i.test(plain) ? 'acquire' : /^(?:release|free|drop)\w*(?:Lock|Lease)$/.test(plain) ? 'release' : undefined);
}

interface Given { readonly name: string; readonly node: ts.Expression }

function slotsOf(unit: Unit, args: ts.ObjectLiteralExpression): ReadonlyMap<SlotRole, Given> {
  const { ts } = unit;
  const found = new Map<SlotRole, Given>();
  for (const p of args.properties) {
    const node = ts.isPropertyAssignment(p) ? p.initializer : ts.isShorthandPropertyAssignment(p) ? p.name : undefined;
    if (node === undefined || p.name === undefined) continue;
    // Parameters of functions of a database often begin with `p_` or `_`.
    const name = nameText(unit, p.name).replace(/^(?:p|in|arg|param)?_+/, '').replace(/_(\w)/g, (_, c: string) => c.toUpperCase());
    const role = slotRole(name);
    if (!found.has(role)) found.set(role, { name, node });
  }
  return found;
}

function ttlOf(unit: Unit, given: Given | undefined): TtlGiven {
  if (given === undefined) return { kind: 'open' };
  return { kind: 'given', ttl: { term: termOf(unit, given.node), node: given.node, unit: slotUnit(given.name), named: namedUnit(unit, given.node) } };
}
