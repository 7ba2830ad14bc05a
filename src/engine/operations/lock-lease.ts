import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, functionName } from '../syntax/expression.js';
import { template, walkTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { isAnswerFollowed } from './lock-answer-followed.js';
import { isUnderOwnerTest } from './lock-compared.js';
import { leaseTtl } from './lock-lease-ttl.js';
import { isInFinally, setsState, type LockRowWrite } from './lock-lease-write.js';
import { lockRoleOf } from './lock-column.js';
import { lockRole } from './lock-words.js';
import type { AcquireOperation, ExtendOperation, Operation, ReleaseOperation, TtlGiven } from './operation.js';
import { UNKNOWN_FORM, type ResultForm } from './result-form.js';
import type { ColumnAssignment, ColumnCondition } from './state-access.js';

/** What one file does to the rows of one table. */
interface Rows {
  readonly unit: Unit;
  readonly all: readonly LockRowWrite[];
  readonly taking: readonly LockRowWrite[];
  readonly giving: readonly LockRowWrite[];
}

/**
 * Locks that are columns of a row, or rows of a table of locks: a write that takes one asks in the same step that it is free or run out. Rows that also carry a
 * state are steps: their writes are transitions, and nothing is said of them here.
 */
export function leaseOperations(unit: Unit, writes: readonly LockRowWrite[]): Operation[] {
  const tables = new Map<string, LockRowWrite[]>();
  for (const w of writes) tables.set(w.table, [...(tables.get(w.table) ?? []), w]);
  return [...tables.values()].flatMap((all) => {
    if (all.some((w) => setsState(w.write))) return [];
    const giving = all.filter(gives);
    const taking = all.filter((w) => takes(w) && isBracket(unit, w, giving));
    const rows: Rows = { unit, all, taking, giving };
    const kept = all.filter((w) => movesEnd(w) && isCompared(unit, w)).map((w): ExtendOperation => ({ ...extendOf(rows, w), ownerCheck: 'none', compared: true }));
    const isKept = (w: LockRowWrite): boolean => kept.some((k) => k.node === w.write.node);
    if (taking.length === 0) {
      const compared = giving.filter((w) => isCompared(unit, w)).map((w): Operation => ({ ...releaseOf(rows, w), ownerCheck: 'none', ifNotHeld: 'deletes-other', compared: true }));
      const beats = all.filter((w) => !isKept(w) && isHeartbeat(rows, w)).map((w): Operation => ({ ...extendOf(rows, w), beats: true }));
      return [...kept, ...compared, ...beats];
    }
    const plain = all.filter((w) => renews(w) && !isKept(w));
    return [...taking.map((w) => acquireOf(rows, w)), ...giving.map((w) => releaseOf(rows, w)), ...plain.map((w) => extendOf(rows, w)), ...kept];
  });
}

function takes(w: LockRowWrite): boolean {
  if (w.write.verb === 'delete' || ![...w.set.values()].some(isTaken)) return false;
  // A row that is put there without an owner is free for whoever comes first.
  const owner = w.set.get('owner');
  if (w.inserts && owner !== undefined && !isTaken(owner)) return false;
  return w.inserts || w.guards.some(({ condition }) => asksFree(condition));
}

function isTaken(a: ColumnAssignment): boolean {
  return a.source === 'store' || (a.source === 'code' && !isNothing(a.value));
}

function isNothing(value: Term | undefined): boolean {
  return value?.kind === 'const' && (value.value === null || value.value === undefined || value.value === false || value.value === 0);
}

/** Free: the flag is down, there is no owner or time, or the time is past. */
function asksFree({ op, values }: ColumnCondition): boolean {
  if (op === 'is-null' || op === 'lt' || op === 'lte') return true;
  const [value] = values;
  if (value?.kind !== 'const') return false;
  return op === 'eq' ? isNothing(value) : op === 'ne' && (value.value === true || value.value === 1);
}

function isOld({ op }: ColumnCondition): boolean {
  return op === 'lt' || op === 'lte';
}

/** Without an owner it may be a setting that people toggle, or an account shut out for a time: only a release after the work makes it a lock. */
function isBracket(unit: Unit, w: LockRowWrite, giving: readonly LockRowWrite[]): boolean {
  const owner = w.set.get('owner');
  return w.isLockTable || (owner !== undefined && isTaken(owner)) || giving.some((g) => isInFinally(unit, g.write.node));
}

/** Gives back after the work: in a `finally`, in the function that took it, or in one whose name says so of a table of locks. */
function isPlain(unit: Unit, giving: LockRowWrite, taking: readonly LockRowWrite[]): boolean {
  const fn = enclosingFunction(unit, giving.write.node);
  const name = functionName(unit, fn).replace(/^.*\./, '');
  if (giving.isLockTable && (lockRole(name) === 'release' || /^(?:release|unlock|unclaim)/.test(name))) return true;
  return isInFinally(unit, giving.write.node) || taking.some((t) => enclosingFunction(unit, t.write.node) === fn);
}

/** Clears the lock's columns, or deletes the row of a table of locks. A sweep of what has run out gives nothing back. */
function gives(w: LockRowWrite): boolean {
  if (w.inserts || w.write.verb === 'upsert' || w.write.where.some(isOld)) return false;
  if (w.write.verb === 'delete') return w.isLockTable && w.write.where.length > 0;
  const holder = (['owner', 'flag'] as const).map((role) => w.set.get(role)).filter((a) => a !== undefined);
  const cleared = (a: ColumnAssignment): boolean => a.source === 'code' && isNothing(a.value);
  // `owner = NULL, expires_at = now()`: without a holder the time tells nothing.
  return w.set.size > 0 && (holder.length > 0 ? holder : [...w.set.values()]).every(cleared);
}

/** Rows of a table of locks are found by their name alone, after code has compared the owner of one that was read before. */
function isCompared(unit: Unit, w: LockRowWrite): boolean {
  return w.isLockTable && !w.write.whereOpen && ownerCompared(w) === undefined && w.write.where.some((c) => c.op === 'eq') && isUnderOwnerTest(unit, w.write.node);
}

/** Moves the end of a lease, or the time it counts from, and nothing else of it. */
function renews(w: LockRowWrite): boolean {
  const until = w.set.get('until') ?? (w.guards.some(({ role }) => role === 'owner') ? w.set.get('since') : undefined);
  if (w.write.verb !== 'update' || until === undefined || !isTaken(until) || w.guards.some(({ condition }) => asksFree(condition))) return false;
  return w.write.set.every((a) => /^(?:until|since)$/.test(lockRoleOf(a.column, true) ?? '') || /(?:updated|beat|heartbeat|renewed)_?at$/i.test(a.column));
}

/**
 * A heartbeat of a row for the worker that it names. The write that took the row may ask nothing itself, since a read before it did (in a serializable transaction, by FOR
 * UPDATE): the names of the owner and of a time, set there together, tell the same.
 */
function isHeartbeat({ all }: Rows, w: LockRowWrite): boolean {
  const owner = ownerCompared(w, 'owner');
  if (owner === undefined || w.write.whereOpen || !renews(w)) return false;
  return all.some((t) => t !== w && isTaken(t.set.get('owner') ?? NOTHING_SET) && (t.set.has('until') || t.set.has('since')));
}

const NOTHING_SET: ColumnAssignment = { column: '', value: { kind: 'const', value: null }, node: undefined, source: 'code' };

/** Gives a lease a new end, and may write its owner once more; asks nothing of the old one. */
function movesEnd(w: LockRowWrite): boolean {
  const until = w.set.get('until');
  return w.write.verb === 'update' && until !== undefined && isTaken(until) && !w.guards.some(({ condition }) => asksFree(condition));
}

function acquireOf(rows: Rows, w: LockRowWrite): AcquireOperation {
  const owner = w.set.get('owner');
  return {
    ...baseOf(w), kind: 'acquire', api: w.inserts ? 'INSERT' : 'UPDATE', owner: owner?.value, hasOwnerSlot: owner !== undefined, ttl: ttlOf(rows, w),
    bare: false, result: answerOf(rows.unit, w), link: 'key', scope: 'manual',
  };
}

function baseOf(w: LockRowWrite): Pick<AcquireOperation, 'node' | 'key' | 'evidence' | 'receiver'> {
  return { node: w.write.node, key: keyOf(w), evidence: 'model', receiver: w.write.client };
}

/** The row by its identity. A constant one stays apart from the text, so that a helper's parameter may stand for it. */
function keyOf(w: LockRowWrite): Term {
  const identity = w.write.where.find((c) => c.op === 'eq' && !c.mayBeAbsent && c.values.length === 1 && lockRoleOf(c.column, true) === undefined);
  const named = identity?.values[0];
  const inserted = w.write.verb === 'upsert' ? w.write.set.find((a) => /^_?(?:id|name|key|resource)$|_(?:id|name|key)$/i.test(a.column))?.value : undefined;
  const id = named ?? inserted;
  const hidden = id === undefined || isComputed(id);
  const part: Term = hidden ? { kind: 'unknown', text: 'row', parts: [] } : id.kind === 'const' || id.kind === 'template' ? { kind: 'list', items: [id] } : id;
  return template([{ kind: 'const', value: `row lock of ${w.write.target ?? ''} ` }, part]);
}

/** A row that another statement found: its identity is that statement's answer. */
function isComputed(id: Term): boolean {
  let found = false;
  walkTerm(id, (t) => {
    found ||= t.kind === 'call' && t.fresh === undefined;
  });
  return found;
}

/** None only where neither this write nor any other of the file sets or asks for a time, and the lock is given back after the work. */
function ttlOf(rows: Rows, w: LockRowWrite): TtlGiven {
  const until = w.set.get('until');
  if (until !== undefined) return leaseTtl(rows.unit, w.write.node, until);
  const timed = w.set.has('since') || w.write.setOpen || w.write.whereOpen || rows.all.some((o) => o.write.where.some(isOld) || o.set.has('until') || o.set.has('since'));
  return !timed && !w.inserts && rows.giving.some((g) => isInFinally(rows.unit, g.write.node)) ? { kind: 'none' } : { kind: 'open' };
}

function answerOf(unit: Unit, w: LockRowWrite): ResultForm {
  const { result, node } = w.write;
  const clear = result.won.length === 1 && result.lost.length <= 1 && result.silent !== true && isAnswerFollowed(unit, node);
  return clear ? result : UNKNOWN_FORM;
}

function releaseOf(rows: Rows, w: LockRowWrite): ReleaseOperation {
  const owner = ownerCompared(w);
  const ownerCheck = owner !== undefined ? 'atomic' : isByKeyAlone(rows, w) ? 'none' : 'unknown';
  const known = owner && rows.taking.find((t) => sameOwner(t.set.get('owner')?.value, owner));
  return {
    ...baseOf(w), kind: 'release', api: w.write.verb === 'delete' ? 'DELETE' : 'UPDATE', ownerCheck, link: 'key', handle: undefined, owner: known && owner,
    ownerSlot: known === undefined ? 'none' : 'given', ifNotHeld: ifNotHeld(rows, w, owner),
  };
}

function sameOwner(taken: Term | undefined, named: Term): boolean {
  return taken !== undefined && sameTerm(taken, named);
}

/** The value a condition asks of the owner column, or of the time the lock was taken at, which serves as a token. */
function ownerCompared(w: LockRowWrite, of?: 'owner'): Term | undefined {
  const asked = w.guards.filter(({ role, condition }) => role !== 'flag' && (of === undefined || role === of) && condition.op === 'eq' && !condition.mayBeAbsent);
  return asked.map(({ condition }) => condition.values[0]).find((value) => value !== undefined && !isNothing(value));
}

/** Frees the row whoever has it by now, although takers name themselves or take over what has run out. */
function isByKeyAlone(rows: Rows, w: LockRowWrite): boolean {
  if (w.write.whereOpen || !isPlain(rows.unit, w, rows.taking)) return false;
  const changesHands = (t: LockRowWrite): boolean => t.set.has('until') || t.guards.some(({ condition }) => isOld(condition));
  return rows.taking.every((t) => changesHands(t));
}

function ifNotHeld(rows: Rows, w: LockRowWrite, owner: Term | undefined): ReleaseOperation['ifNotHeld'] {
  if (owner !== undefined) return owner.kind === 'call' && owner.fresh === 'random' ? 'harmless' : 'unknown';
  return w.write.whereOpen || rows.taking.some((t) => answerOf(rows.unit, t).label === 'unknown') ? 'unknown' : 'deletes-other';
}

function extendOf(rows: Rows, w: LockRowWrite): ExtendOperation {
  const owner = ownerCompared(w);
  const alive = w.guards.some(({ role, condition }) => role === 'until' && (condition.op === 'gt' || condition.op === 'gte'));
  const until = w.set.get('until');
  // Whether a lease that has run out may be revived by its old owner is for the project to say.
  const byKey = owner === undefined && !w.write.whereOpen && rows.taking.every((t) => t.set.has('owner'));
  const ownerCheck = owner !== undefined && alive ? 'atomic' : byKey ? 'none' : 'unknown';
  return {
    ...baseOf(w), kind: 'extend', api: 'UPDATE', ownerCheck, ttl: until === undefined ? { kind: 'open' } : leaseTtl(rows.unit, w.write.node, until), recreates: false, link: 'key',
    handle: undefined, owner: undefined, ownerSlot: 'none',
  };
}
