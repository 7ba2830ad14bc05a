import { readName, splitTail } from './sql-name.js';
import { findTop, holesOf, inside, isBracket, isEmpty, slice, splitList, startsQuery, textOf, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import type { SqlAssignment, SqlValue } from './sql-types.js';
import { parseValue } from './sql-value.js';

/** A SET list. `open`: columns may be missing. `tail`: holes behind the last value, which may hold more columns or a WHERE. */
export interface SqlAssignments { readonly set: readonly SqlAssignment[]; readonly open: boolean; readonly tail: readonly number[] }

/** Reads the list behind SET. */
export function readAssignments(range: SqlRange | undefined): SqlAssignments {
  if (range === undefined) {
    return { set: [], open: true, tail: [] };
  }
  const items = splitList(range).filter((item) => !isEmpty(item)).map(readItem);
  return { set: items.flatMap((item) => item.set), open: items.length === 0 || items.some((item) => item.open), tail: items.at(-1)?.tail ?? [] };
}

function readItem(range: SqlRange): SqlAssignments {
  const { body, tail } = splitTail(range);
  const equals = findTop(body, (at) => tokenAt(body, at)?.kind === 'op' && ['=', ':='].includes(tokenAt(body, at)?.text ?? ''));
  if (equals === -1) {
    return { set: [], open: true, tail };
  }
  const left = slice(body, body.from, equals);
  const right = slice(body, equals + 1);
  const set = isBracket(left) ? readRow(inside(left, left.from), right) : readOne(left, right);
  const open = tail.length > 0 || set.length === 0 || set.some((item) => item.column.includes('{hole:') || item.column === '??');
  return { set, open, tail };
}

/** `t.col = x`; `data['x'] = y` writes to `data`. */
function readOne(left: SqlRange, right: SqlRange): readonly SqlAssignment[] {
  const name = readName(left, left.from);
  const word = wordAt(left, left.from);
  if (name === undefined && (word === '' || left.to - left.from !== 1)) {
    return [];
  }
  return [{ column: name?.name ?? tokenAt(left, left.from)?.text ?? word, value: parseValue(right) }];
}

/** `(a, b) = (1, 2)`, `= ROW(1, 2)`, `= (SELECT …)`. */
function readRow(columns: SqlRange, right: SqlRange): readonly SqlAssignment[] {
  const names = splitList(columns).map((column) => readName(column, column.from)?.name ?? textOf(column));
  const row = wordAt(right, right.from) === 'row' ? slice(right, right.from + 1) : right;
  const values = isBracket(row) && !startsQuery(row) ? splitList(inside(row, row.from)).map(parseValue) : [];
  const whole: SqlValue = values.length === names.length
    ? { kind: 'literal', value: null }
    : isBracket(right) && startsQuery(right)
      ? parseValue(right)
      : { kind: 'expression', text: textOf(right), columns: [], calls: [], holes: holesOf(right), params: [], literals: [] };
  return names.map((column, at) => ({ column, value: values.length === names.length ? values[at] ?? whole : whole }));
}
