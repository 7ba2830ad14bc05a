import type ts from 'typescript';
import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import type { SqlRun } from './access-sql-run.js';
import { evaluatedAt } from './evaluated.js';
import { advisoryOperations, mayEndSession } from './lock-sql-advisory.js';
import { leaseOperations } from './lock-lease.js';
import { lockRowWrite, type LockRowWrite } from './lock-lease-write.js';
import { rowLocks } from './lock-sql-row.js';
import type { Operation } from './operation.js';
import { Kept } from '../kept.js';

const NONE: readonly Operation[] = [];
const known = new Kept<Unit, ReadonlyMap<ts.Node, readonly Operation[]>>();

/** The lock operations that one node runs in a database: advisory and named locks, locks that are a row or columns of one. */
export function sqlLocksAt(unit: Unit, node: ts.Node): readonly Operation[] {
  let found = known.get(unit);
  if (found === undefined) known.set(unit, found = locksOf(unit));
  return found.get(node) ?? NONE;
}

/** A file that says nothing of locks takes none. */
const SPEAKS = /lock|lease|holder|mutex|semaphore/i;

/** What a release gives back is known only when all that the file takes is: the file is read at once. */
function locksOf(unit: Unit): ReadonlyMap<ts.Node, readonly Operation[]> {
  const { ts } = unit;
  const found = new Map<ts.Node, readonly Operation[]>();
  if (!SPEAKS.test(unit.file.text)) return found;
  const runs: SqlRun[] = [];
  const ends: ts.CallExpression[] = [];
  const writes: LockRowWrite[] = [];
  for (const node of fileNodes(unit).evaluations) {
    const { run } = evaluatedAt(unit, node);
    const write = lockRowWrite(unit, node, run);
    if (run !== undefined) runs.push(run);
    if (write !== undefined) writes.push(write);
    else if (ts.isCallExpression(node) && mayEndSession(unit, node)) ends.push(node);
  }
  // One operation a node: its place is its name.
  for (const operation of [...advisoryOperations(unit, runs, ends), ...leaseOperations(unit, writes), ...rowLocks(unit, runs)]) if (!found.has(operation.node)) found.set(operation.node, [operation]);
  return found;
}
