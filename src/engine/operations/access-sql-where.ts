import { hasOpaque, outerCompares, type OuterCompare } from '../embedded/sql-condition-facts.js';
import type { SqlCondition, SqlCte, SqlOperator, SqlSelect, SqlStatement, SqlValue } from '../embedded/sql-types.js';
import type { SqlRun } from './access-sql-run.js';
import { boundValue, insertedValue, nameOf, sameName } from './access-sql-values.js';
import type { ColumnCondition } from './state-access.js';

const OPERATORS: Readonly<Record<SqlOperator, ColumnCondition['op']>> = {
  '=': 'eq', '<>': 'ne', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte', in: 'in', 'not in': 'not-in', 'is null': 'is-null', 'is not null': 'not-null', like: 'other', other: 'other',
};
const MIRRORED: Partial<Readonly<Record<SqlOperator, SqlOperator>>> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** The conditions on the row itself, and whether a guard may hide in what is left. */
export interface RowConditions {
  readonly where: readonly ColumnCondition[];
  readonly open: boolean;
}

/**
 * Reads a condition tree as conditions on the row.
 *
 * @param names of the row's own table: its name and alias; undefined takes all compares as of the row
 * @param inserted the values of an INSERT by column, for `EXCLUDED.x` in the condition of its overwriting part
 */
export function rowConditions(run: SqlRun, condition: SqlCondition | undefined, names: readonly string[] | undefined, inserted?: ReadonlyMap<string, SqlValue>): RowConditions {
  const where: ColumnCondition[] = [];
  let open = hasOpaque(condition) || hasExists(condition);
  for (const compare of outerCompares(condition)) {
    const own = ownSide(run, compare, names);
    const found = own && conditionOf(run, { ...own, values: own.values.map((v) => insertedValue(v, inserted) ?? v) });
    if (found !== undefined) where.push(found);
    // A condition on a joined table may be what guards the row.
    else open ||= own !== undefined || compare.values.every((v) => v.kind !== 'column');
  }
  return { where, open };
}

function ownSide(run: SqlRun, compare: OuterCompare, names: readonly string[] | undefined): OuterCompare | undefined {
  if (names === undefined || isOwn(run, compare.table, names)) return compare;
  const [value] = compare.values;
  const op = MIRRORED[compare.op];
  if (value?.kind !== 'column' || op === undefined || !isOwn(run, value.table, names)) return undefined;
  const other: SqlValue = { kind: 'column', name: compare.column, ...(compare.table === undefined ? {} : { table: compare.table }) };
  return { column: value.name, op, values: [other], under: compare.under };
}

function isOwn(run: SqlRun, table: string | undefined, names: readonly string[]): boolean {
  return table === undefined || names.some((n) => sameName(run, n, table));
}

function conditionOf(run: SqlRun, compare: OuterCompare): ColumnCondition | undefined {
  const column = nameOf(run, compare.column);
  if (column === undefined) return undefined;
  const bound = compare.values.map((v) => boundValue(run, v));
  const terms = bound.flatMap((b) => (b.term === undefined ? [] : [b.term]));
  const op = OPERATORS[compare.op];
  const [only] = terms;
  const list = (op === 'in' || op === 'not-in') && terms.length === 1 && only?.kind === 'list' ? only.items : terms;
  return { column, op, values: terms.length === bound.length ? list : [], source: bound.some((b) => b.source === 'store') ? 'store' : 'code', mayBeAbsent: compare.under !== 'and' };
}

function hasExists(condition: SqlCondition | undefined): boolean {
  switch (condition?.kind) {
    case 'and':
    case 'or': return condition.items.some(hasExists);
    case 'not': return hasExists(condition.item);
    case 'exists': return true;
    default: return false;
  }
}

/** The queries of a statement that lock rows of the table it writes. */
export function lockingSelects(run: SqlRun, statement: SqlStatement, table: string): readonly SqlSelect[] {
  return selectsIn(statement, 0).filter((s) => locksForWrite(s) && s.from.some((f) => sameName(run, f, table)));
}

export function locksForWrite(select: SqlSelect): boolean {
  return select.lock?.mode === 'update' || select.lock?.mode === 'no key update';
}

const MAX_NESTING = 6;

/** All queries of a statement: CTEs, derived tables and subqueries of the condition. */
function selectsIn(statement: SqlStatement, nesting: number): readonly SqlSelect[] {
  if (nesting > MAX_NESTING || !('ctes' in statement)) return [];
  const own = statement.type === 'select' ? [statement] : [];
  const nested = 'where' in statement ? inCondition(statement.where) : [];
  const ctes: readonly SqlCte[] = statement.ctes;
  return [...own, ...[...ctes.map((c) => c.statement), ...nested].flatMap((s) => selectsIn(s, nesting + 1))];
}

function inCondition(condition: SqlCondition | undefined): readonly SqlSelect[] {
  switch (condition?.kind) {
    case 'and':
    case 'or': return condition.items.flatMap(inCondition);
    case 'not': return inCondition(condition.item);
    case 'exists': return [condition.select];
    case 'compare': return condition.values.flatMap((v) => (v.kind === 'subquery' ? [v.select] : []));
    default: return [];
  }
}
