import { clause, dropWords, readClauses } from './sql-clauses.js';
import { joinConditions, parseCondition } from './sql-condition.js';
import { splitTail } from './sql-name.js';
import { slice, type SqlRange } from './sql-range.js';
import { readTables } from './sql-tables.js';
import type { SqlCte, SqlDelete } from './sql-types.js';

const MODIFIERS: ReadonlySet<string> = new Set(['low_priority', 'quick', 'ignore', 'only']);
const CLAUSES: ReadonlySet<string> = new Set(['from', 'using', 'output', 'where', 'order', 'limit', 'returning']);

/** Reads a DELETE that starts with that word; undefined when it names no table. */
export function parseDelete(range: SqlRange, ctes: readonly SqlCte[]): SqlDelete | undefined {
  const clauses = readClauses(dropWords(slice(range, range.from + 1), MODIFIERS), CLAUSES);
  const own = readTables(clause(clauses, 'from'));
  const listed = readTables(clause(clauses, ''));
  const using = readTables(clause(clauses, 'using'));
  const target = own.tables.find((table) => table.alias !== undefined && table.alias === listed.tables[0]?.name) ?? own.tables[0] ?? listed.tables[0];
  if (target === undefined) {
    return undefined;
  }
  const where = clause(clauses, 'where');
  const holes = [...own.tail, ...using.tail, ...['order', 'limit'].flatMap((name) => tailOf(clause(clauses, name)))];
  const condition = joinConditions([where === undefined ? undefined : parseCondition(where), ...own.on, ...using.on], holes);
  return {
    type: 'delete', table: target.name, returning: clauses.has('returning') || clauses.has('output'), ctes: [...ctes, ...own.derived, ...using.derived],
    ...(condition === undefined ? {} : { where: condition }),
  };
}

function tailOf(range: SqlRange | undefined): readonly number[] {
  return range === undefined ? [] : splitTail(range).tail;
}
