import type ts from 'typescript';
import { awaited, memberNames, memberOf, present, typeOf } from '../syntax/declared-type.js';
import type { Signature, TypeShape } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';
import { grantOf, isHandle } from './lock-result.js';
import { slotsOf, type Slot, type Slots } from './lock-slots.js';
import { counterparts, lockRole, namesHeldLock, speaksOfLocks, type LockRole } from './lock-words.js';

/** One operation of a lock API as declared. */
export interface LockMethod {
  readonly name: string;
  readonly role: LockRole;
  readonly signature: Signature;
  readonly slots: Slots;
}

/** The lock operations that one declaration offers, with what proves that they are some. */
export interface LockProtocol {
  readonly method: LockMethod;
  readonly acquires: readonly LockMethod[];
  readonly releases: readonly LockMethod[];
  /** Whether what gives back or prolongs asks for the owner; undefined where not all of it need be in sight. */
  readonly comparesOwner?: boolean;
}

/** The operations of an interface, class, type literal or object literal that are called as those of a lock. */
export function methodProtocol(owner: ObjectShape, name: string): LockProtocol | undefined {
  const { methods, heldRows } = methodsOf(owner);
  const protocol = protocolOf(methods, name) ?? protocolOf(heldRows, name);
  return protocol && { ...protocol, comparesOwner: methods.some((m) => m.role !== 'acquire' && m.slots.owner !== undefined) };
}

type ObjectShape = TypeShape & { kind: 'object' };

interface LockMethods {
  readonly methods: readonly LockMethod[];
  readonly heldRows: readonly LockMethod[];
}

/** Read once a declaration: a class of a hundred members is asked for each call of one. Type arguments make another type of the same declaration. */
function methodsOf(owner: ObjectShape): LockMethods {
  const key = owner.typeArguments.length === 0 ? owner.declaration : owner;
  const held = known.get(key);
  if (held !== undefined) return held;
  const all = memberNames(owner).flatMap((name): Method[] => {
    const type = present(memberOf(owner, name));
    return type.kind === 'function' ? [methodOf(name, type.signature)] : [];
  });
  if (areShared(all)) return noMethods(key);
  const found = { methods: all.flatMap((m) => lockMethod(m) ?? []), heldRows: heldRowMethods(all) };
  known.set(key, found);
  return found;
}

function noMethods(key: object): LockMethods {
  const none = { methods: [], heldRows: [] };
  known.set(key, none);
  return none;
}

/** `take` and `renew` do the same and answer nothing: nobody is refused, and what is kept counts who uses a thing. */
function areShared(all: readonly Method[]): boolean {
  const bodies = (role: LockRole): readonly string[] => all.filter((m) => lockRole(m.name) === role && isVoid(awaited(m.signature.result))).flatMap((m) => bodyOf(m.signature) ?? []);
  const renewing = bodies('extend');
  return renewing.length > 0 && bodies('acquire').some((b) => renewing.includes(b));
}

function bodyOf({ declaration, unit }: Signature): string | undefined {
  return unit.ts.isMethodDeclaration(declaration) ? declaration.body?.getText(unit.file) : undefined;
}

/** A method or function whose role is not known yet. */
type Method = Omit<LockMethod, 'role'>;

function methodOf(name: string, signature: Signature): Method {
  return { name, signature, slots: slotsOf(signature) };
}

const known = new Kept<object, LockMethods>();

/** A table of locks: a method gives what its type calls a held lock, and another takes it back: `tryInsert(name): Promise<HeldLock | null>`, `remove(lock)`. */
function heldRowMethods(all: readonly Method[]): LockMethod[] {
  const taking = all.filter((m) => m.slots.key !== undefined && !READS.test(m.name) && isHeldLock(grantOf(m.signature.result)));
  const giving = all.filter((m) => GIVES_BACK.test(m.name));
  return [...taking.map((m) => ({ ...m, role: 'acquire' as const })), ...giving.map((m) => ({ ...m, role: lockRole(m.name) ?? ('release' as const) }))];
}

function isHeldLock(grant: TypeShape | undefined): boolean {
  return grant?.kind === 'object' && grant.name !== undefined && namesHeldLock(grant.name) && !isYetToAcquire(grant);
}

/** What can be acquired itself is not held yet: `createLock(name)` makes an object whose `acquire` asks the store. */
function isYetToAcquire(grant: TypeShape | undefined): boolean {
  return grant?.kind === 'object' && memberNames(grant).some((n) => lockRole(n) === 'acquire' && speaksOfLocks(n));
}

const READS = /^(?:find|get|load|fetch|list|read|query|search|peek|check|is|has|show|describe)(?![a-z])/;
const GIVES_BACK = /^(?:release|unlock|free|drop|remove|delete|close|end|discard|return|giveBack|clear)(?![a-z])/;

/** Plain functions: what goes together is found by name. */
export function functionProtocol(unit: Unit, call: ts.CallExpression, name: string, signature: Signature): LockProtocol | undefined {
  const own = lockMethod(methodOf(name, signature));
  if (own === undefined) return undefined;
  const others = counterparts(name, own.role).flatMap((n) => {
    const found = unit.scopes.lookup(n, call);
    const type = found && typeOf(unit, found.id);
    return (type?.kind === 'function' ? lockMethod(methodOf(n, type.signature)) : undefined) ?? [];
  });
  return protocolOf([own, ...others.filter((o) => o.name !== name)], name);
}

function lockMethod(method: Method): LockMethod | undefined {
  const { name, signature, slots } = method;
  const role = lockRole(name) ?? (givesLease(signature, slots) || givesRelease(name, signature, slots) ? 'acquire' : undefined);
  return role === undefined || (role === 'extend' && isVoid(signature.result)) ? undefined : { ...method, role };
}

/** `touch(id): void` answers at once and cannot fail: no store was asked. */
function isVoid(result: TypeShape): boolean {
  return result.kind === 'primitive' && result.name === 'void';
}

/** Whatever its name (`waitFor`, `leaseAccount`): a key and a TTL in, something to give back out. What can be acquired itself is not held yet. */
function givesLease(signature: Signature, slots: Slots): boolean {
  const grant = grantOf(signature.result);
  if (slots.key === undefined || slots.ttl === undefined || grant?.kind !== 'object' || !isHandle(grant)) return false;
  return !memberNames(grant).some((n) => lockRole(n) === 'acquire');
}

/** `lockAccount(id)` that gives the function to free it with. */
function givesRelease(name: string, signature: Signature, slots: Slots): boolean {
  const grant = slots.key === undefined ? undefined : grantOf(signature.result);
  return grant?.kind === 'function' && grant.signature.parameters.length === 0 && /^(?:try)?(?:lock|acquire)(?=[A-Z])/i.test(name) && isAsync(signature.result);
}

function protocolOf(methods: readonly LockMethod[], name: string): LockProtocol | undefined {
  const releases = methods.filter((m) => m.role === 'release');
  const acquires = methods.filter((m) => m.role === 'acquire' && isAcquire(m, releases));
  const method = methods.find((m) => m.name === name);
  if (method === undefined) return undefined;
  if (method.role === 'acquire') return acquires.includes(method) ? { method, acquires, releases } : undefined;
  if (acquires.length > 0) return { method: withTwin(method, acquires), acquires, releases };
  // Without its acquire: a release and an extension that both ask for key and owner.
  const paired = method.slots.key !== undefined && method.slots.owner !== undefined && methods.some((m) => m.role !== method.role && m.slots.key !== undefined && m.slots.owner !== undefined);
  return paired ? { method, acquires, releases } : undefined;
}

/** `release(lockId)` means the key where the acquire calls its key so, else the grant. */
function withTwin(method: LockMethod, acquires: readonly LockMethod[]): LockMethod {
  const twin = acquires[0];
  return twin === undefined ? method : { ...method, slots: slotsOf(method.signature, twin.slots) };
}

/** A name and a structural witness. */
function isAcquire(method: LockMethod, releases: readonly LockMethod[]): boolean {
  const { slots, signature } = method;
  if (slots.key === undefined) return false;
  const grant = grantOf(signature.result);
  if (isYetToAcquire(grant)) return false;
  // `reserve(key)` that gives its slot at once asks no store; SQLite does so too, and then the name says what it is.
  if (isHandle(grant)) return isAsync(signature.result) || speaksOfLocks(method.name);
  const returning = releases.filter((r) => givesBack(r, slots.key, grant));
  const isNamed = speaksOfLocks(method.name);
  if ((isNamed || returning.length > 0) && (slots.ttl !== undefined || slots.owner !== undefined)) return true;
  // `take(id)` and `drop(id)` alone may be a queue's, and what answers at once asks no store.
  return isAsync(signature.result) && returning.some((r) => isNamed || speaksOfLocks(r.name) || isHeldLock(grant));
}

function isAsync(result: TypeShape): boolean {
  return result.kind === 'unknown' || (result.kind === 'named' && result.name === 'Promise');
}

/** Whether a release takes the key of the acquire or a part of what it gave. */
function givesBack(release: LockMethod, key: Slot | undefined, grant: TypeShape | undefined): boolean {
  const { slots } = release;
  if (slots.key !== undefined) return slots.key.name === key?.name || partOfGrant(slots.key, grant);
  return takesGrant(release, grant);
}

/** `unlock(id)` of a row that the acquire gave and that has an `id`. */
export function partOfGrant(slot: Slot, grant: TypeShape | undefined): boolean {
  return grant?.kind === 'object' && memberNames(grant).includes(slot.name);
}

/** `release(lock)`: the parameter is what the acquire gave. */
export function takesGrant(release: LockMethod, grant: TypeShape | undefined): boolean {
  const type = release.slots.first && present(awaited(release.slots.first.type));
  if (type === undefined || grant === undefined) return false;
  return (type.kind === 'object' && grant.kind === 'object' && type.declaration === grant.declaration) || (type.kind === 'named' && grant.kind === 'named' && type.name === grant.name && type.from === grant.from);
}
