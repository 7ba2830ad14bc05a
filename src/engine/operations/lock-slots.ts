import type ts from 'typescript';
import { memberNames, memberOf } from '../syntax/declared-type.js';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import { member, type Term } from '../syntax/term.js';
import type { Signature, TypeShape } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';
import { slotRole, slotUnit, type SlotRole } from './lock-words.js';
import type { TtlGiven } from './operation.js';

/** One thing that a lock API takes: a parameter, or a property of an option parameter. */
export interface Slot {
  readonly name: string;
  readonly role: SlotRole;
  readonly optional: boolean;
  readonly type: TypeShape;
  /** The parameter, and the property of it. */
  readonly index: number;
  readonly property?: string;
}

/** The slots of a lock API by role. */
export interface Slots {
  readonly key: Slot | undefined;
  readonly owner: Slot | undefined;
  readonly ttl: Slot | undefined;
  readonly first: Slot | undefined;
}

/** Reads the slots off the parameters. `twin`: the slots of the acquire, for a release whose key is called as an owner elsewhere (`lockId`). */
export function slotsOf(signature: Pick<Signature, 'parameters'>, twin?: Slots): Slots {
  const top = signature.parameters.map((p, index): Slot => ({ name: p.name, role: slotRole(p.name), optional: p.optional, type: p.type, index }));
  const inner = top.filter((s) => s.type.kind === 'object').flatMap((s) => (s.type.kind !== 'object' ? [] : memberNames(s.type).map((name): Slot => (
    { name, role: slotRole(name), optional: s.optional, type: memberOf(s.type, name), index: s.index, property: name }))).filter((i) => i.type.kind !== 'function'));
  const all = [...top.filter((s) => s.type.kind !== 'object'), ...inner];
  const owners = all.filter((s) => s.role === 'owner');
  const ttl = all.find((s) => s.role === 'ttl');
  let key = top.find((s) => s.role === 'key' && s.type.kind !== 'object') ?? inner.find((s) => s.role === 'key' && s.index === 0);
  const first = owners[0];
  if (key === undefined && first?.index === 0 && (twin === undefined ? owners.length > 1 || /Id$/.test(first.name) : twin.key?.name === first.name)) key = first;
  key ??= top.find((s) => s.index === 0 && s.role === 'other' && isText(s.type));
  return { key, owner: owners.find((s) => s !== key), ttl, first: top[0] };
}

function isText(type: TypeShape): boolean {
  return (type.kind === 'primitive' && type.name === 'string') || (type.kind === 'array' && isText(type.item));
}

/** The value a call hands to a slot: `missing` where it leaves the slot out, undefined where a spread or a variable hides it. */
export interface SlotValue {
  readonly term: Term;
  readonly node: ts.Expression | undefined;
}

export function valueOf(unit: Unit, call: ts.CallExpression, slot: Slot): SlotValue | 'missing' | undefined {
  const { ts } = unit;
  const before = call.arguments.slice(0, slot.index + 1);
  if (before.some((a) => ts.isSpreadElement(a))) return undefined;
  const argument = call.arguments[slot.index];
  if (argument === undefined) return 'missing';
  if (slot.property === undefined) return isUndefined(unit, argument) ? 'missing' : { term: termOf(unit, argument), node: argument };
  const object = followed(unit, argument);
  if (!ts.isObjectLiteralExpression(object)) return { term: member(termOf(unit, argument), slot.property), node: undefined };
  const node = propertyOf(unit, object, slot.property);
  if (node !== undefined) return isUndefined(unit, node) ? 'missing' : { term: termOf(unit, node), node };
  return object.properties.some((p) => ts.isSpreadAssignment(p)) ? undefined : 'missing';
}

function isUndefined(unit: Unit, node: ts.Expression): boolean {
  const e = bare(unit, node);
  return unit.ts.isIdentifier(e) && e.text === 'undefined';
}

/** The TTL a call gives. An API without a slot for it, or with a default for it, does not tell here how long the lock lives. */
export function ttlOf(unit: Unit, call: ts.CallExpression, slot: Slot | undefined, whole = false): TtlGiven {
  const value = slot && valueOf(unit, call, slot);
  if (slot === undefined || value === undefined || value === 'missing') return { kind: 'open' };
  return { kind: 'given', ttl: { term: value.term, node: value.node, unit: slotUnit(slot.name), named: TELLS_NO_UNIT.test(slot.name) ? undefined : namedUnit(unit, value.node), whole } };
}

/** Redis counts EXPIRE in seconds, timers count a timeout in milliseconds: a slot of the bare name may mean either. */
const TELLS_NO_UNIT = /^(?:expir\w*|timeout)$/;

/** `(stepId, owner, ttlMs)` of the StepLock interface, whose contract refuses a part of a millisecond. */
export function isStepLock({ key, owner, ttl }: Slots): boolean {
  return [key, owner, ttl].every((slot, at) => slot?.index === at && slot.property === undefined && !slot.optional) && ttl?.name === 'ttlMs';
}

/** The term a call hands to a slot, where it does. */
export function termAt(unit: Unit, call: ts.CallExpression, slot: Slot | undefined): Term | undefined {
  const value = slot && valueOf(unit, call, slot);
  return value === undefined || value === 'missing' ? undefined : value.term;
}

/** Whether the call names the owner or the grant. What a spread hides is taken for given. */
export function ownerSlotOf(unit: Unit, call: ts.CallExpression, slot: Slot | undefined): 'given' | 'missing' | 'none' {
  if (slot === undefined) return 'none';
  return valueOf(unit, call, slot) === 'missing' ? 'missing' : 'given';
}
