import { leadingCtes } from './sql-cte.js';
import { parseDelete } from './sql-delete.js';
import { parseInsert } from './sql-insert.js';
import { inside, isBracket, slice, SQL_MAX_DEPTH, startsQuery, textOf, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import { parseSelect } from './sql-select.js';
import { parseTransaction } from './sql-transaction.js';
import type { SqlStatement } from './sql-types.js';
import { parseUpdate } from './sql-update.js';

/** Reads one statement, with its CTEs. Holes in front of it (`${comment} UPDATE …`) are passed over. */
export function parseStatement(range: SqlRange): SqlStatement {
  if (range.depth > SQL_MAX_DEPTH) {
    return other(range);
  }
  if (isBracket(range)) {
    return parseStatement(inside(range, range.from));
  }
  if (tokenAt(range, range.from)?.kind === 'open') {
    return startsQuery(range) ? parseSelect(range) : other(range);
  }
  const own = withoutLeadingHoles(range);
  const { ctes, body } = leadingCtes(own);
  switch (wordAt(body, body.from)) {
    case 'select':
      return parseSelect(own);
    case 'update':
      return parseUpdate(body, ctes) ?? other(own);
    case 'insert':
    case 'replace':
      return parseInsert(body, ctes) ?? other(own);
    case 'delete':
      return parseDelete(body, ctes) ?? other(own);
    default:
      return parseTransaction(own) ?? other(own);
  }
}

const FIRST: ReadonlySet<string> = new Set(['select', 'with', 'update', 'insert', 'replace', 'delete']);

function withoutLeadingHoles(range: SqlRange): SqlRange {
  let from = range.from;
  while (tokenAt(range, from)?.kind === 'hole') {
    from += 1;
  }
  return FIRST.has(wordAt(range, from)) ? slice(range, from) : range;
}

function other(range: SqlRange): SqlStatement {
  return { type: 'other', text: textOf(range) };
}
