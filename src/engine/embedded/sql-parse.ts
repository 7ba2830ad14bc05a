import { Kept } from '../kept.js';
import { SQL_HOLE } from './sql-hole.js';
import { sourceRange, type SqlRange } from './sql-range.js';
import { parseStatement } from './sql-statement.js';
import { tokenizeSql, type SqlToken } from './sql-token.js';
import type { SqlStatement } from './sql-types.js';

/**
 * Reads SQL text of PostgreSQL, MySQL or SQLite. Never throws and takes linear time; what is not understood comes out as `other`, `opaque` or
 * `expression`.
 *
 * @param parts the literal pieces between the template holes: n + 1 pieces for n holes
 */
export function parseSql(parts: readonly string[]): readonly SqlStatement[] {
  // Each reader asks for the same text, and half of a file of queries is text.
  const held = parsed.get(parts);
  if (held !== undefined) return held;
  const statements = sqlRanges(parts).map(parseStatement);
  parsed.set(parts, statements);
  return statements;
}

const parsed = new Kept<readonly string[], readonly SqlStatement[]>();

/** The statements of the text as token ranges, split at `;`. Empty ones are left out. */
export function sqlRanges(parts: readonly string[]): readonly SqlRange[] {
  const text = parts.map((part) => part.replaceAll(SQL_HOLE, ' ')).join(SQL_HOLE);
  const ranges: SqlRange[] = [];
  let statement: SqlToken[] = [];
  for (const token of tokenizeSql(text)) {
    if (token.kind !== 'semicolon') {
      statement.push(token);
      continue;
    }
    if (statement.length > 0) {
      ranges.push(sourceRange(text, statement));
    }
    statement = [];
  }
  return statement.length > 0 ? [...ranges, sourceRange(text, statement)] : ranges;
}
