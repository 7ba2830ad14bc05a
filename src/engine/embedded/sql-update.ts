import { readAssignments } from './sql-assignments.js';
import { clause, dropWords, readClauses, startsClause } from './sql-clauses.js';
import { joinConditions, parseCondition } from './sql-condition.js';
import { findTop, slice, wordAt, type SqlRange } from './sql-range.js';
import { splitTail } from './sql-name.js';
import { readTables, type SqlTable } from './sql-tables.js';
import type { SqlCte, SqlUpdate } from './sql-types.js';

const MODIFIERS: ReadonlySet<string> = new Set(['only', 'low_priority', 'ignore']);
const HEAD_END: ReadonlySet<string> = new Set(['set', 'where', 'returning']);
const CLAUSES: ReadonlySet<string> = new Set(['set', 'output', 'from', 'where', 'order', 'limit', 'returning']);

/** Reads an UPDATE that starts with that word; undefined when it names no table. */
export function parseUpdate(range: SqlRange, ctes: readonly SqlCte[]): SqlUpdate | undefined {
  const start = slice(range, range.from + 1);
  // UPDATE OR IGNORE t
  const head = dropWords(wordAt(start, start.from) === 'or' ? slice(start, start.from + 2) : start, MODIFIERS);
  const headEnd = findTop(head, (at) => startsClause(head, at, HEAD_END));
  const targets = readTables(slice(head, head.from, headEnd === -1 ? head.to : headEnd));
  const [first, ...joined] = targets.tables;
  if (first === undefined) {
    return undefined;
  }
  const clauses = readClauses(headEnd === -1 ? slice(head, head.to) : slice(head, headEnd), CLAUSES);
  const sources = readTables(clause(clauses, 'from'));
  const { target, from } = resolveTarget(first, [...joined, ...sources.tables]);
  const { set, open, tail } = readAssignments(clause(clauses, 'set'));
  const where = clause(clauses, 'where');
  const holes = [...targets.tail, ...tail, ...sources.tail, ...['order', 'limit'].flatMap((name) => tailOf(clause(clauses, name)))];
  const condition = joinConditions([where === undefined ? undefined : parseCondition(where), ...targets.on, ...sources.on], holes);
  return {
    type: 'update', table: target.name, set, setOpen: open || targets.tail.length > 0, from, returning: clauses.has('returning') || clauses.has('output'),
    ctes: [...ctes, ...targets.derived, ...sources.derived], ...(target.alias === undefined ? {} : { alias: target.alias }),
    ...(condition === undefined ? {} : { where: condition }),
  };
}

/** SQL Server: `UPDATE j SET … FROM jobs j` names the table by the alias of a later one. */
function resolveTarget(first: SqlTable, others: readonly SqlTable[]): { readonly target: SqlTable; readonly from: readonly string[] } {
  const named = first.alias === undefined ? others.find((table) => table.alias === first.name) : undefined;
  const rest = others.filter((table) => table !== named);
  return { target: named ?? first, from: rest.map((table) => table.name) };
}

function tailOf(range: SqlRange | undefined): readonly number[] {
  return range === undefined ? [] : splitTail(range).tail;
}
