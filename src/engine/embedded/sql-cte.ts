import { findTop, inside, skip, slice, SQL_MAX_DEPTH, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import { readName } from './sql-name.js';
import { parseStatement } from './sql-statement.js';
import type { SqlCte } from './sql-types.js';

const MAIN: ReadonlySet<string> = new Set(['select', 'update', 'insert', 'delete', 'replace', 'merge', 'values']);

/** Splits `WITH a AS (…), b AS (…)` from the statement that follows. Without WITH the body is the range. */
export function leadingCtes(range: SqlRange): { readonly ctes: readonly SqlCte[]; readonly body: SqlRange } {
  if (wordAt(range, range.from) !== 'with') {
    return { ctes: [], body: range };
  }
  const main = findTop(range, (at) => MAIN.has(wordAt(range, at)) && tokenAt(range, at + 1)?.kind !== 'open');
  const end = main === -1 ? range.to : main;
  return { ctes: readCtes(slice(range, range.from + 1, end)), body: slice(range, end) };
}

function readCtes(range: SqlRange): readonly SqlCte[] {
  const ctes: SqlCte[] = [];
  let name = '';
  for (let at = wordAt(range, range.from) === 'recursive' ? range.from + 1 : range.from; at < range.to; at = skip(range, at)) {
    const read = wordAt(range, at) === 'materialized' ? undefined : readName(range, at);
    if (read !== undefined) {
      name = read.name;
    } else if (tokenAt(range, at)?.kind === 'open' && ['as', 'materialized'].includes(wordAt(range, at - 1)) && range.depth < SQL_MAX_DEPTH) {
      ctes.push({ name, statement: parseStatement(inside(range, at)) });
    }
  }
  return ctes;
}
