import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import { locksHeldAround } from '../functions/locks-held.js';
import { isLockTable, lockRoleOf, type LockColumnRole } from '../operations/lock-column.js';
import type { ColumnAssignment, StateAccess, StateRead, StateWrite } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { derivesFrom, reaches, runsBefore, sameTarget, within } from '../targets/accesses.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { leavingTest } from './leaving-test.js';
import type { SplitAcquire } from './split-acquire.js';

/** A lock in a row: it is read, found free in the code, and then written by its identity alone. */
export function splitRows(unit: Unit): SplitAcquire[] {
  const { ts } = unit;
  if (!unit.says(/lock|lease|holder|mutex|semaphore/i)) return [];
  const { accesses, transitions } = fileTransitions(unit);
  // What is a step's own state is judged as a transition.
  const others = new Set(transitions.map((t) => t.write.node));
  return accesses.flatMap((write) => {
    if (write.kind !== 'write' || others.has(write.node) || !/^(?:update|upsert|save)$/.test(write.verb)) return [];
    const fn = enclosingFunction(unit, write.node);
    const read = ts.isSourceFile(fn) ? undefined : readBefore(accesses, write);
    if (read === undefined || !takes(write) || isProtected(accesses, read, write)) return [];
    const test = leavingTest(unit, read.node, write.node, (n) => asksLock(n, read, write));
    if (test === undefined || !isLock(write)) return [];
    return [{
      fn, what: write.target ?? 'row', read: unit.placeOf(read.node), at: unit.placeOf(write.node), reads: 'a query', writes: 'a write', kind: 'row' as const, certain: false,
      advice: 'Ask for "free or expired" in the condition of this write, and count the rows it hit.',
      witness: [
        { place: unit.placeOf(read.node), role: 'read' as const, note: 'two workers read the row, and both find it free' },
        { place: unit.placeOf(test), role: 'test' as const, note: 'the test is made in the code of each' },
        { place: unit.placeOf(write.node), role: 'acquire' as const, note: 'both write, and both believe that they have it' },
      ],
    }];
  });

  function readBefore(accesses: readonly StateAccess[], write: StateWrite): StateRead | undefined {
    const reads = accesses.filter((a): a is StateRead => a.kind === 'read' && runsBefore(unit, a.node, write.node));
    return reads.findLast((r) => r.node === write.loadedBy) ?? reads.findLast((r) => r.single && r.target !== undefined && sameTarget(r, write));
  }

  /** Sets who has it, until or since when, or that it is taken, and asks nothing of these columns. */
  function takes(write: StateWrite): boolean {
    const roles = rolesOf(write);
    if (write.whereOpen || ![...roles.values()].some(isTaken)) return false;
    const isGuard = (column: string): boolean => lockRoleOf(column, isAmongLocks(write)) !== undefined || /version|revision|^rev$|etag|status|state|updated_?at/i.test(column);
    return !write.where.some((c) => isGuard(c.column)) && !write.set.some((a) => /(?:^|_)(?:status|state|phase)$/i.test(a.column));
  }

  function rolesOf(write: StateWrite): ReadonlyMap<LockColumnRole, ColumnAssignment> {
    const found = new Map<LockColumnRole, ColumnAssignment>();
    for (const a of write.set) {
      const role = lockRoleOf(a.column, isAmongLocks(write));
      if (role !== undefined && !found.has(role)) found.set(role, a);
    }
    return found;
  }

  function isAmongLocks(write: StateWrite): boolean {
    return (write.target !== undefined && isLockTable(write.target)) || write.set.some((a) => lockRoleOf(a.column, false) !== undefined);
  }

  function isTaken(a: ColumnAssignment): boolean {
    if (a.source === 'store') return true;
    const { value } = a;
    return a.source === 'code' && !(value?.kind === 'const' && (value.value === null || value.value === undefined || value.value === false || value.value === 0));
  }

  /** `row.lockedUntil`, or in a table of locks the row itself. */
  function asksLock(n: ts.Node, read: StateRead, write: StateWrite): boolean {
    if (ts.isPropertyAccessExpression(n)) return lockRoleOf(n.name.text, isAmongLocks(write)) !== undefined && derivesFrom(unit, n.expression, read.node);
    return write.target !== undefined && isLockTable(write.target) && write.verb === 'upsert' && n === read.node;
  }

  /** A row or another lock is held, no other writer gets between, or the entity carries a version. */
  function isProtected(accesses: readonly StateAccess[], read: StateRead, write: StateWrite): boolean {
    if (read.lock !== 'none' || unit.says(/@Version|VersionColumn|optimisticConcurrency/)) return true;
    if (accesses.some((a) => a.kind === 'transaction' && (a.isolation === 'serializable' || a.exclusive) && a.body !== undefined && within(write.node, a.body))) return true;
    const fn = enclosingFunction(unit, write.node);
    return locksHeldAround(unit, write.node).length > 0 || lockOperations(unit).some((o) => o.kind === 'acquire' && o.node !== write.node && o.node.end <= write.node.pos && within(o.node, fn));
  }

  /** A flag alone may be a setting that people toggle, or an account that is shut out: an owner, a table of locks, or a lock that grows stale says more. */
  function isLock(write: StateWrite): boolean {
    const roles = rolesOf(write);
    // Who writes down when, by whom and why it was unlocked last has frozen a row for people; a worker's lock leaves no such trace.
    if (write.set.some((a) => /^un_?locked?(?:_|[A-Z]|$)|^unlock_?reason/.test(a.column))) return false;
    if (roles.has('owner') || (write.target !== undefined && isLockTable(write.target))) return true;
    if (/attempt|fail|password|login/i.test(`${write.target ?? ''} ${write.set.map((a) => a.column).join(' ')}`)) return false;
    const fn = enclosingFunction(unit, write.node);
    const clock = (n: ts.Node): boolean => (ts.isCallExpression(n) && /\bDate\.now$/.test(n.expression.getText(unit.file))) || (ts.isNewExpression(n) && n.expression.getText(unit.file) === 'Date');
    return (roles.has('until') || roles.has('since')) && testsOf(fn).some((e) => reaches(unit, e, clock));
  }

  /** The conditions of a function: what has stood too long is taken over. */
  function testsOf(fn: ts.Node): ts.Expression[] {
    const found: ts.Expression[] = [];
    const visit = (n: ts.Node): void => {
      if (ts.isIfStatement(n)) found.push(n.expression);
      ts.forEachChild(n, visit);
    };
    visit(fn);
    return found;
  }
}
