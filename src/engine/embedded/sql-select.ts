import { clause, readClauses, type SqlClauses } from './sql-clauses.js';
import { joinConditions, parseCondition } from './sql-condition.js';
import { leadingCtes } from './sql-cte.js';
import { splitTail } from './sql-name.js';
import { readOutputs } from './sql-output.js';
import { findTop, holesOf, inside, isBracket, slice, SQL_MAX_DEPTH, textOf, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import { readTables } from './sql-tables.js';
import type { SqlCondition, SqlSelect } from './sql-types.js';
import { parseValue } from './sql-value.js';

const CLAUSES: ReadonlySet<string> = new Set([
  'select', 'into', 'from', 'where', 'group', 'having', 'window', 'order', 'limit', 'offset', 'fetch', 'for', 'lock', 'union', 'intersect', 'except',
]);

/** Reads a query, with its CTEs. Of a UNION the first arm is read; its WHERE then is one arm of an OR with an opaque rest. */
export function parseSelect(range: SqlRange): SqlSelect {
  if (range.depth > SQL_MAX_DEPTH) {
    return { type: 'select', columns: [], from: [], where: { kind: 'opaque', text: textOf(range), holes: holesOf(range) }, openTail: [], ctes: [] };
  }
  if (isBracket(range)) {
    return parseSelect(inside(range, range.from));
  }
  const { ctes, body } = leadingCtes(range);
  const whole = firstArm(body);
  const clauses = readClauses(whole.arm, CLAUSES);
  const from = readTables(clause(clauses, 'from'));
  const where = selectCondition(clauses, whole.rest, from.tail);
  const lock = rowLock(clauses);
  const limit = clause(clauses, 'limit');
  return {
    type: 'select', columns: readOutputs(clause(clauses, 'select')), from: from.tables.map((table) => table.name), openTail: openTail(clauses),
    ctes: [...ctes, ...from.derived], ...(where === undefined ? {} : { where }), ...(lock === undefined ? {} : { lock }),
    ...(limit === undefined ? {} : { limit: parseValue(splitTail(limit).body) }),
  };
}

/** `(SELECT …) UNION …` has its first arm in brackets. */
function firstArm(range: SqlRange): { readonly arm: SqlRange; readonly rest?: SqlRange } {
  const union = findTop(range, (at) => ['union', 'intersect', 'except'].includes(wordAt(range, at)));
  if (union === -1) {
    return { arm: range };
  }
  const first = slice(range, range.from, union);
  return { arm: isBracket(first) ? inside(first, first.from) : first, rest: slice(range, union) };
}

function selectCondition(clauses: SqlClauses, rest: SqlRange | undefined, tail: readonly number[]): SqlCondition | undefined {
  const where = clause(clauses, 'where');
  const own = joinConditions([where === undefined ? undefined : parseCondition(where)], tail);
  if (own === undefined || rest === undefined) {
    return own;
  }
  return { kind: 'or', items: [own, { kind: 'opaque', text: textOf(rest), holes: holesOf(rest) }] };
}

function rowLock(clauses: SqlClauses): SqlSelect['lock'] {
  const range = clause(clauses, 'for');
  if (range !== undefined) {
    return { mode: lockMode(range), wait: lockWait(range) };
  }
  if (clause(clauses, 'lock') !== undefined) {
    return { mode: 'share', wait: 'wait' };
  }
  return hintLock(clause(clauses, 'from'));
}

type RowLock = NonNullable<SqlSelect['lock']>;

function lockMode(range: SqlRange): RowLock['mode'] {
  switch (wordAt(range, range.from)) {
    case 'no':
      return 'no key update';
    case 'key':
      return 'key share';
    case 'share':
      return 'share';
    default:
      return 'update';
  }
}

function lockWait(range: SqlRange): RowLock['wait'] {
  const at = findTop(range, (index) => ['nowait', 'skip'].includes(wordAt(range, index)));
  if (at === -1) {
    return 'wait';
  }
  return wordAt(range, at) === 'skip' ? 'skip locked' : 'nowait';
}

/** SQL Server: `FROM jobs WITH (UPDLOCK, ROWLOCK, READPAST)`. */
function hintLock(from: SqlRange | undefined): SqlSelect['lock'] {
  const open = from === undefined ? -1 : findTop(from, (at) => wordAt(from, at - 1) === 'with' && tokenAt(from, at)?.kind === 'open');
  if (from === undefined || open === -1) {
    return undefined;
  }
  const hints = textOf(inside(from, open)).toLowerCase();
  if (!/\b(?:updlock|xlock)\b/u.test(hints)) {
    return undefined;
  }
  return { mode: 'update', wait: hints.includes('readpast') ? 'skip locked' : hints.includes('nowait') ? 'nowait' : 'wait' };
}

function openTail(clauses: SqlClauses): readonly number[] {
  return ['group', 'having', 'order', 'limit', 'offset', 'fetch', 'for'].flatMap((name) => {
    const range = clause(clauses, name);
    return range === undefined ? [] : splitTail(range).tail;
  });
}
