import type ts from 'typescript';
import { rowLockedSubselect } from '../embedded/sql-condition-facts.js';
import { sqlLockCalls } from '../embedded/sql-locks.js';
import { parseSql } from '../embedded/sql-parse.js';
import type { SqlAssignment, SqlCondition, SqlDelete, SqlInsert, SqlLockCall, SqlSelect, SqlStatement, SqlTransaction, SqlUpdate, SqlValue } from '../embedded/sql-types.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { sqlBeginScope } from './access-sql-begin.js';
import { layerOf } from './access-sql-layer.js';
import { resultOf } from './access-sql-result.js';
import { sqlRunOf, type SqlRun } from './access-sql-run.js';
import { assignmentOf, nameOf } from './access-sql-values.js';
import { lockingSelects, locksForWrite, rowConditions, type RowConditions } from './access-sql-where.js';
import { hasIdentity } from './row-identity.js';
import type { ColumnAssignment, StateAccess, StateRead, StateWrite, TransactionScope } from './state-access.js';

/** Text handed to a store, its holes, and what its placeholders are bound from when that is one expression. */
export interface SqlSource {
  readonly parts: readonly string[];
  readonly holes: readonly ts.Expression[];
  readonly params: ts.Expression | undefined;
}

/** The SQL text one call or tagged template runs; undefined when it runs none. */
export function sqlTextOf(unit: Unit, node: ts.CallExpression | ts.TaggedTemplateExpression): SqlSource | undefined {
  const run = sqlRunOf(unit, node);
  return run && { parts: run.text.parts, holes: run.text.holes, params: run.params };
}

/** The advisory and named lock functions in the text one call or tagged template runs. */
export function sqlLocksOf(unit: Unit, node: ts.CallExpression | ts.TaggedTemplateExpression): readonly SqlLockCall[] {
  const run = sqlRunOf(unit, node);
  return run === undefined ? [] : sqlLockCalls(run.text.parts);
}

/**
 * One call or tagged template that runs SQL text as a read, a write or the start of a transaction. Plain inserts, other statements and fragments
 * give nothing. Decided by spelling and imports, without types.
 */
export function sqlAccess(unit: Unit, node: ts.CallExpression | ts.TaggedTemplateExpression): StateAccess | undefined {
  const run = sqlRunOf(unit, node);
  if (run === undefined) return unit.ts.isCallExpression(node) ? sqlBeginScope(unit, node) : undefined;
  return sqlAccessOf(run);
}

/** The read, write or start of a transaction that a text runs. */
export function sqlAccessOf(run: SqlRun): StateAccess | undefined {
  const statements = parseSql(run.text.parts);
  for (const statement of statements) {
    const access = accessOf(run, statement, statements);
    if (access !== undefined) return access;
  }
  return undefined;
}

function accessOf(run: SqlRun, statement: SqlStatement, all: readonly SqlStatement[]): StateAccess | undefined {
  switch (statement.type) {
    case 'update': return updateAccess(run, statement);
    case 'delete': return deleteAccess(run, statement);
    case 'insert': return upsertAccess(run, statement);
    case 'select': return selectAccess(run, statement);
    case 'begin': return beginAccess(run, statement, all);
    default: return undefined;
  }
}

function baseOf(run: SqlRun, table: string | undefined, conditions: RowConditions): Pick<StateRead, 'node' | 'layer' | 'evidence' | 'target' | 'client' | 'where' | 'whereOpen'> {
  const { layer, evidence } = layerOf(run);
  return {
    node: run.node, layer, evidence, target: table === undefined ? undefined : nameOf(run, table), client: run.client && termOf(run.unit, run.client), where: conditions.where,
    whereOpen: conditions.open,
  };
}

interface WriteParts {
  readonly verb: StateWrite['verb'];
  readonly set: readonly (ColumnAssignment | undefined)[];
  readonly setOpen: boolean;
  readonly returning: boolean;
  readonly many: boolean;
  readonly locksRows: boolean;
}

function writeAccess(run: SqlRun, table: string, conditions: RowConditions, parts: WriteParts): StateWrite {
  const { verb, returning, many, locksRows } = parts;
  const base = baseOf(run, table, conditions);
  const set = parts.set.filter((a) => a !== undefined);
  return { kind: 'write', ...base, verb, set, setOpen: parts.setOpen || set.length < parts.set.length, locksRows, result: resultOf(run, base.layer, { returning, many }), method: run.method };
}

function updateAccess(run: SqlRun, statement: SqlUpdate): StateWrite {
  const set = statement.set.map((a) => assignmentOf(run, a));
  const names = statement.alias === undefined ? [statement.table] : [statement.table, statement.alias];
  return chosenRows(run, statement, names, { verb: 'update', set, setOpen: statement.setOpen });
}

function deleteAccess(run: SqlRun, statement: SqlDelete): StateWrite {
  return chosenRows(run, statement, undefined, { verb: 'delete', set: [], setOpen: false });
}

/** A write whose rows a condition chooses. The condition of a query that locks those rows counts as its own. */
function chosenRows(run: SqlRun, statement: SqlUpdate | SqlDelete, names: readonly string[] | undefined, parts: Pick<WriteParts, 'verb' | 'set' | 'setOpen'>): StateWrite {
  const outer = rowConditions(run, statement.where, names);
  const locked = rowLockedSubselect(statement);
  const locking = locked ? lockingSelects(run, statement, statement.table) : [];
  const inner = locking.map((s) => rowConditions(run, s.where, undefined));
  const locksRows = locking.length > 0;
  // Rows of another table are locked: they may be what guards this one.
  const open = outer.open || inner.some((c) => c.open) || (locked && !locksRows);
  const conditions = { where: [...outer.where, ...inner.flatMap((c) => c.where)], open };
  const limited = locking.some((s) => isOne(s.limit));
  return writeAccess(run, statement.table, conditions, { ...parts, returning: statement.returning, many: !limited && !hasIdentity(outer.where), locksRows });
}

function upsertAccess(run: SqlRun, statement: SqlInsert): StateWrite | undefined {
  const { onConflict, columns, values, table, returning } = statement;
  if (onConflict?.action !== 'update') return undefined;
  const inserted = new Map(columns.flatMap((c, i): (readonly [string, SqlValue])[] => {
    const value = values[i];
    return value === undefined ? [] : [[c, value]];
  }));
  const set = onConflict.set.map((a: SqlAssignment) => assignmentOf(run, a, inserted));
  const conditions = rowConditions(run, onConflict.where, undefined, inserted);
  return writeAccess(run, table, conditions, { verb: 'upsert', set, setOpen: onConflict.setOpen, returning, many: false, locksRows: false });
}

/** A query; one whose CTE writes (`WITH moved AS (UPDATE ..) SELECT ..`) is that write. */
function selectAccess(run: SqlRun, statement: SqlSelect): StateAccess | undefined {
  for (const cte of statement.ctes) {
    const inner = cte.statement;
    if (inner.type !== 'update' && inner.type !== 'delete') continue;
    const whole = { ...inner, ctes: [...statement.ctes.filter((c) => c !== cte), ...inner.ctes] };
    return whole.type === 'update' ? updateAccess(run, whole) : deleteAccess(run, whole);
  }
  const [table] = statement.from;
  // `SELECT pg_advisory_lock(..)` reads no rows.
  if (table === undefined) return undefined;
  const conditions = readConditions(run, statement.where, statement);
  return { kind: 'read', ...baseOf(run, table, conditions), lock: lockOf(statement), single: isOne(statement.limit) || hasIdentity(conditions.where) };
}

function readConditions(run: SqlRun, where: SqlCondition | undefined, statement: SqlSelect): RowConditions {
  const found = rowConditions(run, where, undefined);
  // A hole behind LIMIT may be a row lock.
  return { where: found.where, open: found.open || statement.openTail.length > 0 };
}

function lockOf(select: SqlSelect): StateRead['lock'] {
  if (select.lock === undefined || !locksForWrite(select)) return 'none';
  return select.lock.wait === 'skip locked' ? 'skip-locked' : select.lock.wait;
}

function isOne(limit: SqlValue | undefined): boolean {
  return limit?.kind === 'literal' && limit.value === 1;
}

function beginAccess(run: SqlRun, statement: SqlTransaction, all: readonly SqlStatement[]): TransactionScope {
  const named = statement.isolation ?? all.map((s) => (s.type === 'set-transaction' ? s.isolation : undefined)).find((level) => level !== undefined);
  const isolation = named === 'serializable' ? 'serializable' : named === 'repeatable read' ? 'repeatable-read' : 'default';
  return { kind: 'transaction', node: run.node, body: undefined, client: run.client && termOf(run.unit, run.client), isolation, exclusive: statement.immediate === true };
}
