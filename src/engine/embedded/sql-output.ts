import { dropWords } from './sql-clauses.js';
import { endsOperand } from './sql-name.js';
import { inside, isBracket, isEmpty, slice, splitList, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import type { SqlSelect, SqlValue } from './sql-types.js';
import { parseValue } from './sql-value.js';

type SqlOutput = SqlSelect['columns'][number];

const PREFIXES: ReadonlySet<string> = new Set(['distinct', 'all', 'sql_calc_found_rows', 'straight_join']);

/** Reads the list behind SELECT: each value with the name its answer has in a row. */
export function readOutputs(range: SqlRange | undefined): readonly SqlOutput[] {
  if (range === undefined) {
    return [];
  }
  return splitList(withoutPrefix(range)).filter((item) => !isEmpty(item)).map(readOutput);
}

function withoutPrefix(range: SqlRange): SqlRange {
  const list = dropWords(range, PREFIXES);
  // DISTINCT ON (…)
  if (wordAt(list, list.from) === 'on' && tokenAt(list, list.from + 1)?.kind === 'open') {
    return slice(list, (list.source.partners[list.from + 1] ?? list.from) + 1);
  }
  const isTop = wordAt(list, list.from) === 'top' && ['number', 'param', 'hole'].includes(tokenAt(list, list.from + 1)?.kind ?? '');
  return isTop ? slice(list, list.from + 2) : list;
}

function readOutput(range: SqlRange): SqlOutput {
  const { body, alias } = splitAlias(range);
  const value = parseValue(body);
  return { name: alias ?? outputName(body, value), value };
}

/** Splits `value AS name` or `value name`. */
export function splitAlias(range: SqlRange): { readonly body: SqlRange; readonly alias?: string } {
  const last = tokenAt(range, range.to - 1);
  if (last === undefined || range.to - range.from < 2) {
    return { body: range };
  }
  if (wordAt(range, range.to - 2) === 'as') {
    return { body: slice(range, range.from, range.to - 2), alias: last.text };
  }
  // wordAt is empty for the end of a dotted name; a bare alias may still be quoted.
  const isName = last.kind === 'quoted' ? tokenAt(range, range.to - 2)?.kind !== 'dot' : wordAt(range, range.to - 1) !== '' && last.word !== 'end';
  return isName && endsOperand(range, range.to - 1) && endsOperand(range, range.to - 2)
    ? { body: slice(range, range.from, range.to - 1), alias: last.text }
    : { body: range };
}

function outputName(range: SqlRange, value: SqlValue): string {
  if (isBracket(range) && value.kind !== 'subquery') {
    const body = inside(range, range.from);
    return body.depth > 8 ? UNNAMED : outputName(body, value);
  }
  if (value.kind === 'column') {
    return value.name;
  }
  if (value.kind === 'hole') {
    return `{hole:${String(value.index)}}`;
  }
  if (value.kind !== 'expression') {
    return UNNAMED;
  }
  if (/^(?:[\w"`]+\.)?\*$/u.test(value.text)) {
    return '*';
  }
  const [call] = value.calls;
  return call !== undefined && new RegExp(`^(?:\\w+\\.)?${call.replace(/\W/gu, '.')}\\s*\\(`, 'iu').test(value.text) ? call : UNNAMED;
}

/** What PostgreSQL calls an output without a name. */
const UNNAMED = '?column?';
