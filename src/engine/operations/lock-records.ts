import type ts from 'typescript';
import { bare, enclosingFunction, wholeValue } from '../syntax/expression.js';
import { freshnessOf, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { acquireOf } from './lock-handle.js';
import { partOfGrant, takesGrant, type LockMethod, type LockProtocol } from './lock-protocol.js';
import { formOf, grantOf, isHandle } from './lock-result.js';
import { isStepLock, ownerSlotOf, termAt, ttlOf } from './lock-slots.js';
import type { AcquireOperation, LockEvidence, LockLink, Operation } from './operation.js';

/** Where a call stands: the object it is made on, and what says that it is a lock's. */
export interface CallSite {
  readonly unit: Unit;
  readonly call: ts.CallExpression;
  readonly receiver: Term | undefined;
  readonly evidence: LockEvidence;
}

/** The record of a call of a lock API by its declaration. */
export function recordOf(site: CallSite, protocol: LockProtocol): Operation | undefined {
  if (protocol.method.role === 'acquire') return acquireRecord(site, protocol);
  const link = linkOfRelease(protocol);
  return link === undefined ? undefined : giveBackRecord(site, protocol, link);
}

function acquireRecord({ unit, call, receiver, evidence }: CallSite, { method, releases, comparesOwner }: LockProtocol): Operation | undefined {
  const { slots, signature, name } = method;
  const key = termAt(unit, call, slots.key);
  if (key === undefined) return undefined;
  const grant = grantOf(signature.result);
  const byHandle = isHandle(grant) || releases.some((r) => linkOfRelease({ method: r, acquires: [method], releases }) === 'handle');
  return {
    node: call, kind: 'acquire', api: name, key, evidence, receiver, bare: false, link: byHandle ? 'handle' : 'key', scope: scopeOf(unit, call),
    owner: termAt(unit, call, slots.owner), hasOwnerSlot: slots.owner !== undefined, ttl: ttlOf(unit, call, slots.ttl, isStepLock(slots)), result: formOf(signature.result),
    ...(!byHandle && comparesOwner === false && { ownerUnused: true as const }),
  };
}

/** `await using lease = await acquire(..)` gives the lock back at the end of the block. */
export function scopeOf(unit: Unit, call: ts.CallExpression): AcquireOperation['scope'] {
  const { ts } = unit;
  const holder = wholeValue(unit, call).parent;
  const isUsing = ts.isVariableDeclaration(holder) && ts.isVariableDeclarationList(holder.parent) && (holder.parent.flags & ts.NodeFlags.Using) !== 0;
  return isUsing ? 'using' : 'manual';
}

/** How a release finds its lock: by the key of the acquire, or by what the acquire gave. */
function linkOfRelease({ method, acquires }: LockProtocol): LockLink | undefined {
  const { slots } = method;
  const twins = acquires.map((a) => ({ key: a.slots.key?.name, grant: grantOf(a.signature.result) }));
  if (twins.some((t) => takesGrant(method, t.grant))) return 'handle';
  if (slots.key === undefined) return slots.owner === undefined ? undefined : 'handle';
  const { key } = slots;
  if (!twins.some((t) => t.key === key.name) && twins.some((t) => partOfGrant(key, t.grant))) return 'handle';
  return 'key';
}

function giveBackRecord({ unit, call, receiver, evidence }: CallSite, protocol: LockProtocol, link: LockLink): Operation | undefined {
  const { slots, name, role } = protocol.method;
  const first = call.arguments[0];
  const named = termAt(unit, call, slots.key ?? slots.owner ?? slots.first);
  if (first === undefined || named === undefined) return undefined;
  // `unlock(job.id)`: the row is the handle.
  const handle = link !== 'handle' ? undefined : slots.key !== undefined && named.kind === 'path' ? named.base : named;
  // A grant that is the handle itself fills no slot of its own.
  const grant = handle === undefined ? undefined : acquireOf(unit, first);
  const ownerSlot = slots.key === undefined ? 'none' as const : ownerSlotHere(unit, call, protocol);
  const owner = slots.key === undefined ? undefined : termAt(unit, call, slots.owner);
  const checked = link === 'handle' || ownerSlot === 'given';
  const base = {
    node: call, api: name, key: grant?.key ?? handle ?? named, evidence, receiver, link, handle, ownerSlot, owner,
    ownerCheck: checked ? 'contract' as const : 'unknown' as const,
  };
  if (role === 'extend') return { ...base, kind: 'extend', recreates: false, ttl: ttlOf(unit, call, slots.ttl, isStepLock(slots)) };
  return { ...base, kind: 'release', ifNotHeld: link === 'handle' || (ownerSlot === 'given' && isOwn(owner, protocol.acquires)) ? 'harmless' : 'deletes-other' };
}

/** An owner made for this call alone, or a part of the grant, is nobody else's; a worker's name may hold the lock in another task. */
function isOwn(owner: Term | undefined, acquires: readonly LockMethod[]): boolean {
  if (owner?.kind === 'path') return isOwn(owner.base, acquires);
  return owner?.kind === 'call' && (freshnessOf(owner) === 'random' || acquires.some((a) => owner.callee.split('.').at(-1) === a.name));
}

/**
 * Where the acquire may leave the owner out as well, the API knows locks of nobody, and a release without an owner is right for those. It is missing only where
 * the function names an owner to the acquire.
 */
function ownerSlotHere(unit: Unit, call: ts.CallExpression, { method, acquires }: LockProtocol): 'given' | 'missing' | 'none' {
  const slot = ownerSlotOf(unit, call, method.slots.owner);
  const owners = acquires.flatMap((a) => (a.slots.owner === undefined ? [] : [a.slots.owner]));
  if (slot !== 'missing' || owners.length === 0 || !owners.every((o) => o.optional)) return slot;
  return namesOwner(unit, enclosingFunction(unit, call), acquires) ? 'missing' : 'given';
}

function namesOwner(unit: Unit, fn: ts.Node, acquires: readonly LockMethod[]): boolean {
  const { ts } = unit;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (found) return;
    const callee = ts.isCallExpression(n) ? bare(unit, n.expression) : undefined;
    const name = callee === undefined ? undefined : ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : undefined;
    const acquire = name === undefined ? undefined : acquires.find((a) => a.name === name);
    if (acquire !== undefined && ts.isCallExpression(n) && ownerSlotOf(unit, n, acquire.slots.owner) === 'given') found = true;
    else ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;
}

