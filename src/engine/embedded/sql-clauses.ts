import { isEmpty, skip, slice, tokenAt, wordAt, type SqlRange } from './sql-range.js';

/** The clauses of a statement by their first word, without that word; what stands before the first is under `''`. */
export type SqlClauses = ReadonlyMap<string, SqlRange>;

/** Words that start a clause only with a certain word behind them. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  order: ['by'],
  group: ['by'],
  for: ['update', 'no', 'share', 'key'],
  lock: ['in'],
  on: ['conflict', 'duplicate'],
};

/** Cuts a range at the words of `names` outside brackets. A clause that comes twice keeps its first text. */
export function readClauses(range: SqlRange, names: ReadonlySet<string>): SqlClauses {
  const clauses = new Map<string, SqlRange>();
  let name = '';
  let from = range.from;
  for (let at = range.from; at < range.to; at = skip(range, at)) {
    if (!startsClause(range, at, names)) {
      continue;
    }
    keep(clauses, name, slice(range, from, at));
    name = wordAt(range, at);
    from = at + 1;
  }
  keep(clauses, name, slice(range, from));
  return clauses;
}

function keep(clauses: Map<string, SqlRange>, name: string, range: SqlRange): void {
  if (!clauses.has(name)) {
    clauses.set(name, range);
  }
}

/** Whether the word at `at` starts a clause: not a name after AS, and not the FROM of `IS DISTINCT FROM`. */
export function startsClause(range: SqlRange, at: number, names: ReadonlySet<string>): boolean {
  const word = wordAt(range, at);
  const before = wordAt(range, at - 1);
  if (!names.has(word) || before === 'as') {
    return false;
  }
  if (word === 'from' && before === 'distinct' && ['is', 'not'].includes(wordAt(range, at - 2))) {
    return false;
  }
  return NEEDS[word]?.includes(wordAt(range, at + 1)) ?? true;
}

/** The clause when it is there and not empty. */
export function clause(clauses: SqlClauses, name: string): SqlRange | undefined {
  const range = clauses.get(name);
  return range === undefined || isEmpty(range) ? undefined : range;
}

/** The range without the words of `words` at its start. */
export function dropWords(range: SqlRange, words: ReadonlySet<string>): SqlRange {
  let from = range.from;
  while (words.has(wordAt(range, from)) && tokenAt(range, from) !== undefined) {
    from += 1;
  }
  return slice(range, from);
}
