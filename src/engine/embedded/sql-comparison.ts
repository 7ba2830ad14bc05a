import { allOf } from './sql-condition-algebra.js';
import type { SqlCondition, SqlOperator, SqlValue } from './sql-types.js';

/**
 * A comparison by the column it speaks of, which may stand on either side. `1 = 1` always holds. Undefined when neither side is a column or a
 * plain reading of one column.
 */
export function comparison(left: SqlValue, op: SqlOperator, values: readonly SqlValue[]): SqlCondition | undefined {
  const [right] = values;
  const mirrored = MIRRORED[op];
  if (left.kind === 'literal' && right?.kind === 'literal' && op === '=' && left.value === right.value && left.value !== null) {
    return allOf([]);
  }
  const own = isPlaceholder(left) ? undefined : readColumn(left, op);
  if (own !== undefined) {
    return compare(own, values);
  }
  const other = right === undefined || mirrored === undefined || isPlaceholder(right) ? undefined : readColumn(right, mirrored);
  if (other !== undefined) {
    return compare(other, [left]);
  }
  const byHole = readColumn(left, op);
  return byHole === undefined ? undefined : compare(byHole, values);
}

/** A hole or `??` may be a column (`${jobs.id} = ${id}`), but a written column on the other side is the better reading. */
function isPlaceholder(value: SqlValue): boolean {
  return value.kind === 'hole' || value.kind === 'param';
}

const MIRRORED: Partial<Readonly<Record<SqlOperator, SqlOperator>>> = { '=': '=', '<>': '<>', '<': '>', '>': '<', '<=': '>=', '>=': '<=', 'other': 'other' };

interface ColumnRead {
  readonly column: string;
  readonly table?: string;
  readonly op: SqlOperator;
}

function compare(read: ColumnRead, values: readonly SqlValue[]): SqlCondition {
  const { column, table, op } = read;
  return { kind: 'compare', column, op, values, ...(table === undefined ? {} : { table }) };
}

/** Calls that keep what a comparison says about their one column. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'binary', 'coalesce', 'date', 'datetime', 'ifnull', 'isnull', 'julianday', 'lower', 'nvl', 'strftime', 'text', 'timestamp', 'to_timestamp', 'trim',
  'unix_timestamp', 'unixepoch', 'upper', 'uuid',
]);

function readColumn(value: SqlValue, op: SqlOperator): ColumnRead | undefined {
  if (value.kind === 'column') {
    return { column: value.name, op, ...(value.table === undefined ? {} : { table: value.table }) };
  }
  if (value.kind === 'hole') {
    return { column: `{hole:${String(value.index)}}`, op };
  }
  if (value.kind === 'param') {
    return value.name === '??' ? { column: value.name, op } : undefined;
  }
  const column = value.kind === 'expression' && value.columns.length === 1 ? value.columns[0] : undefined;
  if (value.kind !== 'expression' || column === undefined || /^excluded\b/iu.test(value.text)) {
    return undefined;
  }
  return { column, op: keepsMeaning(value.text, value.calls, op) ? op : 'other' };
}

function keepsMeaning(text: string, calls: readonly string[], op: SqlOperator): boolean {
  if (calls.length > 0 && calls.every((call) => TRANSPARENT.has(call) || call === 'now') && /^\w+\s*\(/u.test(text) && !/[-+*/|]/u.test(text)) {
    return true;
  }
  // `locked_at + interval '5 min' < now()` still orders by the column; `now() - locked_at` turns the order round and `a || b` has none.
  return ['<', '<=', '>', '>='].includes(op) && /^["`]?[\w.]+["`]?\s*[-+]/u.test(text);
}
