import type ts from 'typescript';
import { parseSql } from '../embedded/sql-parse.js';
import { normalised } from '../syntax/snake-case.js';
import type { Unit } from '../syntax/unit.js';
import { layerOf } from './access-sql-layer.js';
import { resultOf } from './access-sql-result.js';
import type { SqlRun } from './access-sql-run.js';
import { boundValue, nameOf } from './access-sql-values.js';
import { clientOf } from './lock-sql-scope.js';
import { evaluatedAt } from './evaluated.js';
import { dynamoLockWrite } from './lock-dynamo.js';
import { insertedLockRow } from './lock-lease-insert.js';
import { isLockTable, lockRoleOf, type LockColumnRole } from './lock-column.js';
import type { AccessNode, ColumnAssignment, ColumnCondition, StateWrite } from './state-access.js';

/** A write of a row that may take, renew or give back a lock in it. */
export interface LockRowWrite {
  readonly write: StateWrite;
  /** The table or model, one spelling for all. */
  readonly table: string;
  readonly isLockTable: boolean;
  /** INSERT .. ON CONFLICT DO NOTHING, or an insert that the unique key refuses: the row itself is the lock. */
  readonly inserts: boolean;
  readonly set: ReadonlyMap<LockColumnRole, ColumnAssignment>;
  /** Conditions on the lock's columns. */
  readonly guards: readonly { readonly role: LockColumnRole; readonly condition: ColumnCondition }[];
}

/** The write one node makes to rows of a visible table, with its lock columns. `run`: the SQL text it runs, if any. */
export function lockRowWrite(unit: Unit, node: AccessNode, run: SqlRun | undefined): LockRowWrite | undefined {
  const item = unit.ts.isCallExpression(node) ? dynamoLockWrite(unit, node) : undefined;
  if (item !== undefined) return item;
  const inserted = (run && insertedLock(run)) ?? (unit.ts.isCallExpression(node) ? insertedLockRow(unit, node) : undefined);
  const { orm, sql } = evaluatedAt(unit, node);
  const access = inserted ?? orm ?? (run && sql);
  if (access?.kind !== 'write' || access.target === undefined || !/^(?:update|upsert|delete)$/.test(access.verb)) return undefined;
  const ofLocks = isLockTable(access.target);
  const names = [...access.set.map((a) => a.column), ...access.where.map((c) => c.column)];
  const amongLocks = ofLocks || names.some((n) => lockRoleOf(n, false) !== undefined);
  const set = new Map<LockColumnRole, ColumnAssignment>();
  for (const a of access.set) {
    const role = lockRoleOf(a.column, amongLocks);
    if (role !== undefined && !set.has(role)) set.set(role, a);
  }
  const guards = access.where.flatMap((condition) => {
    const role = lockRoleOf(condition.column, amongLocks);
    return role === undefined ? [] : [{ role, condition }];
  });
  return { write: access, table: normalised(access.target), isLockTable: ofLocks, inserts: inserted !== undefined, set, guards };
}

/** `INSERT INTO locks .. ON CONFLICT DO NOTHING`, which no state access is. */
function insertedLock(run: SqlRun): StateWrite | undefined {
  const statement = parseSql(run.text.parts).find((s) => s.type === 'insert');
  const target = statement && nameOf(run, statement.table);
  if (statement?.onConflict?.action !== 'nothing' || target === undefined || !isLockTable(target)) return undefined;
  const set = statement.columns.flatMap((name, i): ColumnAssignment[] => {
    const [column, value] = [nameOf(run, name), statement.values[i]];
    if (column === undefined || value === undefined) return [];
    const bound = boundValue(run, value);
    return [{ column, value: bound.term, node: bound.node, source: bound.source }];
  });
  const { layer, evidence } = layerOf(run);
  return {
    kind: 'write', node: run.node, layer, evidence, target, client: clientOf(run), where: [], whereOpen: false, verb: 'upsert', set, setOpen: set.length < statement.columns.length,
    locksRows: false, result: resultOf(run, layer, { returning: statement.returning, many: false }), method: run.method,
  };
}

/** Code outside operations reads what is in a row by its state: a row with one is a step, and its writes are transitions. */
export function setsState(write: StateWrite): boolean {
  return write.set.some((a) => /(?:^|_)(?:status|state|phase|stage)$/.test(normalised(a.column)));
}

/** Whether a node stands in a `finally` block of its function. */
export function isInFinally(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  for (let n = node; n.parent && !ts.isFunctionLike(n); n = n.parent) if (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n) return true;
  return false;
}
