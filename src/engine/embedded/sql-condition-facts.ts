import { negate } from './sql-condition-algebra.js';
import type { SqlCondition, SqlCte, SqlOperator, SqlSelect, SqlStatement, SqlValue } from './sql-types.js';

/** One comparison of the outer condition, and whether it must hold (`and`), may hold (`or`) or stands under a NOT that could not be resolved. */
export interface OuterCompare {
  readonly column: string;
  readonly table?: string;
  readonly op: SqlOperator;
  readonly values: readonly SqlValue[];
  readonly under: 'and' | 'or' | 'not';
}

/** The columns of the row that a condition speaks of, each once; those inside subqueries are not of this row. */
export function conditionColumns(condition: SqlCondition | undefined): readonly string[] {
  const columns = outerCompares(condition).flatMap((item) => [item.column, ...item.values.flatMap(valueColumns)]);
  return [...new Set(columns)];
}

function valueColumns(value: SqlValue): readonly string[] {
  if (value.kind === 'column') {
    return [value.name];
  }
  return value.kind === 'expression' ? value.columns : [];
}

/**
 * The comparisons of a condition outside subqueries. `NOT (a = x)` counts as `a <> x`; `a = x OR a = y` as `a IN (x, y)`; an OR counts as `and`
 * only in that form.
 */
export function outerCompares(condition: SqlCondition | undefined): readonly OuterCompare[] {
  return condition === undefined ? [] : flatten(condition, 'and');
}

function flatten(condition: SqlCondition, under: OuterCompare['under']): readonly OuterCompare[] {
  switch (condition.kind) {
    case 'compare':
      return [toCompare(condition, under)];
    case 'and':
      return condition.items.flatMap((item) => flatten(item, under));
    case 'or': {
      const merged = sameColumn(condition.items);
      return merged === undefined ? condition.items.flatMap((item) => flatten(item, under === 'not' ? 'not' : 'or')) : [toCompare(merged, under)];
    }
    case 'not': {
      const pushed = negate(condition.item);
      return pushed.kind === 'not' ? flatten(condition.item, 'not') : flatten(pushed, under);
    }
    case 'exists':
    case 'opaque':
      return [];
  }
}

type Compare = Extract<SqlCondition, { kind: 'compare' }>;

function toCompare(condition: Compare, under: OuterCompare['under']): OuterCompare {
  const { column, table, op, values } = condition;
  return { column, op, values, under, ...(table === undefined ? {} : { table }) };
}

function sameColumn(items: readonly SqlCondition[]): Compare | undefined {
  const [first] = items;
  if (first?.kind !== 'compare') {
    return undefined;
  }
  const compares = items.filter((item): item is Compare => item.kind === 'compare' && (item.op === '=' || item.op === 'in'));
  const agree = compares.length === items.length && compares.every((item) => item.column === first.column && item.table === first.table);
  return agree ? { ...first, op: 'in', values: compares.flatMap((item) => item.values) } : undefined;
}

/** Whether any piece outside subqueries was not understood: a guard may hide there. */
export function hasOpaque(condition: SqlCondition | undefined): boolean {
  switch (condition?.kind) {
    case 'and':
    case 'or':
      return condition.items.some(hasOpaque);
    case 'not':
      return hasOpaque(condition.item);
    case 'opaque':
      return true;
    default:
      return false;
  }
}

/**
 * Whether the rows a statement writes are chosen by a query that locks them (FOR UPDATE, FOR NO KEY UPDATE): a subquery of the WHERE, a CTE or a
 * derived table. Then the guard of that query counts as if it stood in the outer WHERE.
 */
export function rowLockedSubselect(statement: SqlStatement): boolean {
  if (statement.type !== 'update' && statement.type !== 'delete') {
    return false;
  }
  const { where, ctes } = statement;
  const from = statement.type === 'update' ? statement.from : ctes.map((cte) => cte.name);
  return from.some((name) => lockedCte(name, ctes, 0)) || lockedCondition(where, ctes);
}

function lockedCondition(condition: SqlCondition | undefined, ctes: readonly SqlCte[]): boolean {
  switch (condition?.kind) {
    case 'and':
      return condition.items.some((item) => lockedCondition(item, ctes));
    case 'compare':
      return ['=', 'in'].includes(condition.op) && condition.values.some((value) => value.kind === 'subquery' && lockedSelect(value.select, ctes, 0));
    case 'exists':
      return condition.select.from.some((name) => lockedCte(name, [...condition.select.ctes, ...ctes], 0));
    default:
      return false;
  }
}

/** CTEs that name each other in a ring end here. */
const MAX_NESTING = 8;

function lockedSelect(select: SqlSelect, ctes: readonly SqlCte[], nesting: number): boolean {
  if (select.lock?.mode === 'update' || select.lock?.mode === 'no key update') {
    return true;
  }
  const known = [...select.ctes, ...ctes];
  return nesting < MAX_NESTING && (select.from.some((name) => lockedCte(name, known, nesting + 1)) || (nesting === 0 && lockedCondition(select.where, known)));
}

function lockedCte(name: string, ctes: readonly SqlCte[], nesting: number): boolean {
  const at = ctes.findIndex((cte) => cte.name === name);
  const statement = ctes[at]?.statement;
  return statement?.type === 'select' && lockedSelect(statement, ctes.filter((_, index) => index !== at), nesting + 1);
}
