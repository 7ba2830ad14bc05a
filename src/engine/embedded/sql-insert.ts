import { readAssignments } from './sql-assignments.js';
import { clause, dropWords, readClauses, startsClause, type SqlClauses } from './sql-clauses.js';
import { joinConditions, parseCondition } from './sql-condition.js';
import { readAlias, readName, splitTail } from './sql-name.js';
import {
  findTop, inside, isBracket, isEmpty, skip, slice, splitList, startsQuery, textOf, tokenAt, wordAt, type SqlRange,
} from './sql-range.js';
import { parseSelect } from './sql-select.js';
import type { SqlAssignment, SqlCte, SqlInsert, SqlValue } from './sql-types.js';
import { parseValue } from './sql-value.js';

const END: ReadonlySet<string> = new Set(['on', 'returning']);

/** Reads an INSERT or REPLACE that starts with that word; undefined when it names no table. */
export function parseInsert(range: SqlRange, ctes: readonly SqlCte[]): SqlInsert | undefined {
  const into = findTop(range, (at) => wordAt(range, at) === 'into');
  const policy = conflictPolicy(slice(range, range.from, into === -1 ? range.from + 3 : into));
  const start = into === -1 ? dropWords(range, new Set(['insert', 'ignore', 'replace'])).from : into + 1;
  const name = readName(range, start);
  if (name === undefined) {
    return undefined;
  }
  const head = readColumns(slice(range, tokenAt(range, name.next)?.word === 'as' ? readAlias(range, name.next).next : name.next));
  const end = findTop(head.rest, (at) => startsClause(head.rest, at, END));
  const body = readBody(slice(head.rest, head.rest.from, end === -1 ? head.rest.to : end));
  const clauses = readClauses(end === -1 ? slice(head.rest, head.rest.to) : slice(head.rest, end), new Set(['on', 'returning']));
  const columns = body.columns ?? head.columns;
  const conflict = readConflict(clause(clauses, 'on'));
  const onConflict = conflict.onConflict ?? impliedConflict(policy, columns, body.values);
  return {
    type: 'insert', table: name.name, columns, values: body.values, returning: clauses.has('returning'), openTail: [...body.tail, ...conflict.tail], ctes,
    ...(body.select === undefined ? {} : { select: body.select }), ...(onConflict === undefined ? {} : { onConflict }),
  };
}

type OnConflict = NonNullable<SqlInsert['onConflict']>;
type Policy = 'nothing' | 'update' | undefined;

/** `INSERT OR IGNORE`, `INSERT IGNORE`, `INSERT OR REPLACE`, `REPLACE`. */
function conflictPolicy(head: SqlRange): Policy {
  const text = textOf(head).toLowerCase();
  if (/\breplace\b/u.test(text)) {
    return 'update';
  }
  return /\bignore\b/u.test(text) ? 'nothing' : undefined;
}

function impliedConflict(policy: Policy, columns: readonly string[], values: readonly SqlValue[]): OnConflict | undefined {
  if (policy !== 'update') {
    return policy === undefined ? undefined : { action: 'nothing' };
  }
  const set: SqlAssignment[] = columns.flatMap((column, at) => {
    const value = values[at];
    return value === undefined ? [] : [{ column, value }];
  });
  return { action: 'update', target: [], set, setOpen: set.length < columns.length || columns.length === 0 };
}

function readColumns(range: SqlRange): { readonly columns: readonly string[]; readonly rest: SqlRange } {
  if (tokenAt(range, range.from)?.kind !== 'open' || startsQuery(range)) {
    return { columns: [], rest: range };
  }
  const columns = splitList(inside(range, range.from)).filter((item) => !isEmpty(item)).map((item) => readName(item, item.from)?.name ?? textOf(item));
  return { columns, rest: slice(range, skip(range, range.from)) };
}

interface Body {
  readonly columns?: readonly string[];
  readonly values: readonly SqlValue[];
  readonly select?: SqlInsert['select'];
  readonly tail: readonly number[];
}

const BODY_STARTS: ReadonlySet<string> = new Set(['values', 'value', 'select', 'with', 'set', 'default']);

function readBody(range: SqlRange): Body {
  if (tokenAt(range, range.from)?.kind === 'hole') {
    return { values: [parseValue(slice(range, range.from, range.from + 1))], tail: splitTail(range).tail };
  }
  const at = findTop(range, (index) => BODY_STARTS.has(wordAt(range, index)) || startsBracketQuery(range, index));
  if (at === -1) {
    return { values: [], tail: splitTail(range).tail };
  }
  const word = wordAt(range, at);
  const rest = slice(range, at + 1);
  if (word === 'select' || word === 'with' || word === '') {
    return { values: [], select: parseSelect(slice(range, at)), tail: [] };
  }
  if (word === 'set') {
    const { set, tail } = readAssignments(rest);
    return { columns: set.map((item) => item.column), values: set.map((item) => item.value), tail };
  }
  return { values: word === 'default' ? [] : firstRow(rest), tail: splitTail(rest).tail };
}

function startsBracketQuery(range: SqlRange, at: number): boolean {
  return tokenAt(range, at)?.kind === 'open' && startsQuery(slice(range, at));
}

function firstRow(range: SqlRange): readonly SqlValue[] {
  const [row] = splitList(splitTail(range).body);
  if (row === undefined || isEmpty(row)) {
    return [];
  }
  if (tokenAt(row, row.from)?.kind !== 'open') {
    return [parseValue(row)];
  }
  const cells = slice(row, row.from, skip(row, row.from));
  return isBracket(cells) ? splitList(inside(cells, cells.from)).map(parseValue) : [];
}

const CONFLICT_CLAUSES: ReadonlySet<string> = new Set(['set', 'where']);

function readConflict(range: SqlRange | undefined): { readonly onConflict?: OnConflict; readonly tail: readonly number[] } {
  if (range === undefined) {
    return { tail: [] };
  }
  if (wordAt(range, range.from) === 'duplicate') {
    const { set, open, tail } = readAssignments(slice(range, range.from + 3));
    return { onConflict: { action: 'update', target: [], set, setOpen: open }, tail };
  }
  const act = findTop(range, (at) => wordAt(range, at) === 'do');
  if (act === -1) {
    return { tail: splitTail(range).tail };
  }
  if (wordAt(range, act + 1) !== 'update') {
    return { onConflict: { action: 'nothing' }, tail: splitTail(range).tail };
  }
  return { onConflict: readUpdate(readClauses(slice(range, act + 2), CONFLICT_CLAUSES), conflictTarget(range)), tail: [] };
}

function conflictTarget(range: SqlRange): readonly string[] {
  return tokenAt(range, range.from + 1)?.kind === 'open'
    ? splitList(inside(range, range.from + 1)).map((item) => readName(item, item.from)?.name ?? textOf(item))
    : [];
}

function readUpdate(clauses: SqlClauses, target: readonly string[]): OnConflict {
  const { set, open, tail } = readAssignments(clause(clauses, 'set'));
  const where = clause(clauses, 'where');
  const condition = joinConditions([where === undefined ? undefined : parseCondition(where)], tail);
  return { action: 'update', target, set, setOpen: open, ...(condition === undefined ? {} : { where: condition }) };
}
