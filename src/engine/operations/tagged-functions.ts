import { awaited, memberOf, memberNames, present, signatureOfDeclaration } from '../syntax/declared-type.js';
import { docComments, type DocTag, type TaggedFunction } from '../syntax/doc-comments.js';
import type { Signature, TypeShape } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';
import type { LockOperationModel, ResultModel, SlotPath, TtlModel } from '../models.js';
import { formOf, grantOf, isHandle } from './lock-result.js';
import { slotsOf, type Slot, type Slots } from './lock-slots.js';
import { slotUnit } from './lock-words.js';
import type { ResultForm } from './result-form.js';
import { pathOf, tagSlots } from './tag-slots.js';
import { Kept } from '../kept.js';

/** A function that a tag makes an operation of a lock. */
export interface TaggedOperation {
  readonly fn: TaggedFunction;
  readonly op: LockOperationModel;
  readonly declared: ResultForm;
  /** What it gives back is what a release takes, or releases itself. */
  readonly givesHandle: boolean;
}

const LOCK_TAGS = { acquiresLock: 'acquire', releasesLock: 'release', extendsLock: 'extend' } as const;
type LockTag = keyof typeof LOCK_TAGS;

interface Read { readonly fn: TaggedFunction; readonly signature: Signature; readonly slots: Slots; readonly role: 'acquire' | 'release' | 'extend'; readonly given: ReadonlyMap<string, string> }

/** The lock operations that the tags of a file declare. Tags with a mistake declare none: `tagMistakes` tells them. */
export function taggedOperations(unit: Unit): readonly TaggedOperation[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  // Asked for again while types are resolved.
  known.set(unit, []);
  const reads = docComments(unit).functions.flatMap((fn) => lockTags(fn).flatMap((tag): Read[] => {
    const slots = tagSlots(fn, tag);
    const signature = signatureOfDeclaration(unit, fn.declaration);
    return 'mistake' in slots ? [] : [{ fn, signature, slots: slotsOf(signature), role: LOCK_TAGS[tag.name], given: slots.given }];
  }));
  const twin = reads.find((r) => r.role === 'acquire')?.slots;
  const acquires = reads.filter((r) => r.role === 'acquire');
  const found = reads.map((read): TaggedOperation => ({
    fn: read.fn,
    op: read.role === 'acquire' ? acquireOp(read) : giveBackOp({ ...read, slots: slotsOf(read.signature, twin) }, acquires),
    declared: formOf(read.signature.result),
    givesHandle: read.role === 'acquire' && isGivenBack(read, reads),
  }));
  known.set(unit, found);
  return found;
}

const known = new Kept<Unit, readonly TaggedOperation[]>();

function lockTags(fn: TaggedFunction): (DocTag & { readonly name: LockTag })[] {
  return fn.tags.filter((t): t is DocTag & { readonly name: LockTag } => t.name in LOCK_TAGS);
}

function acquireOp({ fn, signature, slots, given }: Read): LockOperationModel {
  const body = given.get('body');
  const runs = signature.parameters.findIndex((p) => present(p.type).kind === 'function');
  const bodyPath = body === undefined ? (runs < 0 ? undefined : `arg${runs}`) : pathOf(fn, body);
  return {
    op: bodyPath === undefined ? 'acquire' : 'run', call: fn.name, ...keyOf(fn, slots, given, signature), ...ownerOf(fn, slots, given), ...ttlOf(fn, slots, given), ...resultOf(given),
    ...(bodyPath === undefined ? {} : { body: bodyPath }), ...(given.has('renews') ? { renews: given.get('renews') === 'yes' } : {}),
  };
}

function giveBackOp({ fn, signature, slots, role, given }: Read, acquires: readonly Read[]): LockOperationModel {
  const named = given.get('handle');
  const first = signature.parameters[0];
  const takesGrant = given.get('key') === undefined && first !== undefined && acquires.some((a) => isSameType(grantOf(a.signature.result), present(awaited(first.type))));
  const handle = named !== undefined ? pathOf(fn, named) : takesGrant ? 'arg0' : undefined;
  const check = given.get('ownerCheck');
  const unheld = given.get('ifNotHeld');
  return {
    op: role === 'extend' ? 'extend' : 'release', call: fn.name,
    ...(handle === undefined ? { ...keyOf(fn, slots, given, signature), ...ownerOf(fn, slots, given) } : { handle }),
    ...(role === 'extend' ? ttlOf(fn, slots, given) : {}),
    ...(check === 'atomic' || check === 'none' ? { ownerCheck: check } : {}),
    ...(unheld === 'throws' || unheld === 'harmless' || unheld === 'deletes-other' ? { ifNotHeld: unheld } : {}),
  };
}

function keyOf(fn: TaggedFunction, slots: Slots, given: ReadonlyMap<string, string>, signature: Signature): { key?: SlotPath } {
  const named = given.get('key');
  if (named === 'none') return {};
  const first = signature.parameters[0];
  const plain = first !== undefined && slots.owner?.index !== 0 && slots.ttl?.index !== 0 && present(first.type).kind !== 'function' ? 'arg0' : undefined;
  const key = named !== undefined ? pathOf(fn, named) : slots.key === undefined ? plain : slotPath(slots.key);
  return key === undefined ? {} : { key };
}

function ownerOf(fn: TaggedFunction, slots: Slots, given: ReadonlyMap<string, string>): { owner?: SlotPath } {
  const named = given.get('owner');
  if (named === 'none') return {};
  const owner = named !== undefined ? pathOf(fn, named) : slots.owner && slotPath(slots.owner);
  return owner === undefined ? {} : { owner };
}

function ttlOf(fn: TaggedFunction, slots: Slots, given: ReadonlyMap<string, string>): { ttl?: TtlModel } {
  const named = given.get('ttl');
  if (named === 'none' || named === 'library') return { ttl: named };
  const at = named !== undefined ? pathOf(fn, named) : slots.ttl && slotPath(slots.ttl);
  const unit = given.get('unit') ?? slotUnit(named?.split('.').at(-1) ?? slots.ttl?.name ?? '');
  return at === undefined ? {} : { ttl: { at, unit: unit === 's' ? 's' : 'ms' } };
}

function resultOf(given: ReadonlyMap<string, string>): { result?: ResultModel } {
  const result = given.get('result');
  // The tag's values were checked against the list of forms.
  return result === undefined ? {} : { result: result as Extract<ResultModel, string> };
}

function slotPath({ index, property }: Slot): SlotPath {
  return property === undefined ? `arg${index}` : `arg${index}.${property}`;
}

/** The grant releases itself, has a tagged release, or is what a tagged release takes. */
function isGivenBack({ signature, slots }: Read, all: readonly Read[]): boolean {
  const grant = grantOf(signature.result);
  if (isHandle(grant)) return true;
  const others = all.filter((r) => r.role !== 'acquire');
  if (others.some((r) => r.given.has('handle'))) return true;
  if (grant?.kind !== 'object') return grant !== undefined && slots.key !== undefined && others.some((r) => isSameType(grant, present(awaited(r.slots.first?.type ?? { kind: 'unknown' }))));
  const members = memberNames(grant).map((n) => present(memberOf(grant, n)));
  return others.some((r) => isSameType(grant, present(awaited(r.slots.first?.type ?? { kind: 'unknown' }))) || members.some((m) => m.kind === 'function' && m.signature.declaration === r.fn.declaration));
}

function isSameType(a: TypeShape | undefined, b: TypeShape): boolean {
  return (a?.kind === 'object' && b.kind === 'object' && a.declaration === b.declaration) || (a?.kind === 'named' && b.kind === 'named' && a.name === b.name && a.from === b.from);
}
