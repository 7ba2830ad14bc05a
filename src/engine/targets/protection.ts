import { locksHeldAround } from '../functions/locks-held.js';
import type { AccessNode, StateAccess, StateRead, StateWrite, TransactionScope } from '../operations/state-access.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { runsBefore, sameColumn, sameTarget, within } from './accesses.js';
import { claimBefore } from './claimed-before.js';
import type { Gate } from './gate.js';
import { gradeOf, type Grade } from './grade.js';
import { keyAgainstRow } from './key-against-row.js';
import type { JudgedWrite } from './rivals.js';

/** What keeps rivals out although the write's own condition does not. */
export interface Protection {
  /** `transaction-lock`: a lock beside the row that ends with the transaction. It keeps those out who ask for it; a lock of the row keeps all out. */
  readonly kind: 'row-lock' | 'transaction-lock' | 'serializable' | 'store-computed' | 'claimed-before';
  readonly at: AccessNode;
}

/** Kinds that hold to the commit whatever happens to the process. */
export const BY_THE_STORE: ReadonlySet<Protection['kind']> = new Set(['row-lock', 'transaction-lock', 'serializable']);

export interface ProtectionContext {
  readonly unit: Unit;
  readonly accesses: readonly StateAccess[];
  readonly reads: readonly StateRead[];
  /** Other writes of the same target, in file order, with their gates. */
  readonly rivals: readonly JudgedWrite[];
}

export function protectionOf(write: StateWrite, gate: Gate, grade: Grade, context: ProtectionContext): Protection | undefined {
  if (isStoreComputed(write, gate)) return { kind: 'store-computed', at: write.node };
  const lock = rowLock(write, context)?.node ?? lockedByWrite(write, context);
  if (lock !== undefined) return { kind: 'row-lock', at: lock };
  const beside = transactionLock(write, context);
  if (beside !== undefined) return { kind: 'transaction-lock', at: beside };
  const scope = serializable(write, context);
  if (scope !== undefined) return { kind: 'serializable', at: scope.node };
  const claim = claimBefore(context.unit, { write, gate, grade }, context.rivals);
  return claim && { kind: 'claimed-before', at: claim };
}

function isStoreComputed(write: StateWrite, gate: Gate): boolean {
  const { stateColumn, kind } = gate;
  if (kind !== 'state' || stateColumn === undefined) return false;
  const state = write.set.filter((a) => sameColumn(a.column, stateColumn));
  return state.length > 0 && state.every((a) => a.source !== 'code');
}

/** A lock of a row that may not be there locks nothing, so an upsert is not protected by it. */
function rowLock(write: StateWrite, { unit, accesses }: ProtectionContext): StateRead | undefined {
  if (write.verb === 'upsert') return undefined;
  return accesses.find((a): a is StateRead => a.kind === 'read' && a.lock !== 'none' && sameTarget(a, write) && runsBefore(unit, a.node, write.node)
    && (a.client === undefined || write.client === undefined || sameTerm(a.client, write.client)));
}

/** A guarded write of the same row before it, in one transaction: it has locked the row until the commit, and found it as expected. */
function lockedByWrite(write: StateWrite, { unit, accesses, rivals }: ProtectionContext): AccessNode | undefined {
  const scope = accesses.find((a): a is TransactionScope => a.kind === 'transaction' && a.body !== undefined && within(write.node, a.body));
  if (scope?.body === undefined || write.client === undefined || write.verb === 'upsert') return undefined;
  const { body } = scope;
  const identity = write.where.filter((c) => c.op === 'eq');
  const isSameRow = (r: StateWrite): boolean => identity.length > 0 && identity.every((c) => r.where.some((o) => o.op === 'eq' && sameColumn(o.column, c.column) && o.values.some((v) => c.values.some((w) => sameTerm(v, w)))));
  return rivals.find(({ write: r, grade }) => typeof grade.grade === 'number' && grade.grade >= 4 && r.verb === 'update' && r.client !== undefined && write.client !== undefined && sameTerm(r.client, write.client)
    && within(r.node, body) && runsBefore(unit, r.node, write.node) && isSameRow(r))?.write.node;
}

const BY_TRANSACTION = /^pg_(?:try_)?advisory_xact_lock/;

/** An advisory lock of the row that ends with the transaction, held from before the last read: nobody loses it earlier, as a lease may be lost. */
function transactionLock(write: StateWrite, { unit, reads }: ProtectionContext): AccessNode | undefined {
  const read = reads.at(-1);
  const held = locksHeldAround(unit, write.node, 'with-transaction-locks').map(({ operation }) => operation)
    .filter((o) => BY_TRANSACTION.test(o.api) && (o.receiver === undefined || write.client === undefined || sameTerm(o.receiver, write.client)));
  const identity = write.where.filter((c) => c.op === 'eq' && !c.mayBeAbsent).flatMap((c) => c.values);
  return held.find((o) => keyAgainstRow(o.key, identity) === 'covered' && (read === undefined || locksHeldAround(unit, read.node, 'with-transaction-locks').some((l) => l.operation === o)))?.node;
}

function serializable(write: StateWrite, { unit, accesses, reads }: ProtectionContext): TransactionScope | undefined {
  const read = reads.at(-1);
  return accesses.find((a): a is TransactionScope => {
    if (a.kind !== 'transaction' || (a.isolation !== 'serializable' && !a.exclusive)) return false;
    if (a.client !== undefined && write.client !== undefined && !sameTerm(a.client, write.client)) return false;
    if (a.body !== undefined) return within(write.node, a.body) && (read === undefined || within(read.node, a.body));
    return enclosingFunction(unit, a.node) === enclosingFunction(unit, write.node) && a.node.end <= write.node.pos + 1 && (read === undefined || a.node.end <= read.node.pos + 1);
  });
}

/** Grades all writes of a target, for the rivals. */
export function gradeIn(unit: Unit, write: StateWrite, gate: Gate, reads: readonly StateRead[], others: readonly StateWrite[]): Grade {
  return gradeOf(write, gate, { unit, reads, otherWrites: others });
}
