import { splitAlias } from './sql-output.js';
import { sqlRanges } from './sql-parse.js';
import { findTop, inside, isEmpty, skip, slice, splitList, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import type { SqlLockCall } from './sql-types.js';
import { parseValue } from './sql-value.js';
import { SQL_KEYWORDS } from './sql-words.js';

/**
 * The advisory and named lock functions a text calls, wherever they stand: output list, WHERE, FROM, PERFORM.
 *
 * @param parts as for `parseSql`
 */
export function sqlLockCalls(parts: readonly string[]): readonly SqlLockCall[] {
  return parts.some((part) => NAMES.test(part)) ? sqlRanges(parts).flatMap(callsOf) : [];
}

/** Asked first, since most texts take no such lock: a name stands in one piece, or is none. */
const NAMES = /pg_(?:try_)?advisory_|get_lock|release_lock|release_all_locks/iu;

type Traits = Pick<SqlLockCall, 'operation' | 'scope' | 'shared'>;

const FUNCTIONS: ReadonlyMap<string, Traits> = new Map<string, Traits>([
  ['pg_advisory_lock', { operation: 'acquire', scope: 'session', shared: false }],
  ['pg_advisory_lock_shared', { operation: 'acquire', scope: 'session', shared: true }],
  ['pg_try_advisory_lock', { operation: 'try-acquire', scope: 'session', shared: false }],
  ['pg_try_advisory_lock_shared', { operation: 'try-acquire', scope: 'session', shared: true }],
  ['pg_advisory_xact_lock', { operation: 'acquire', scope: 'transaction', shared: false }],
  ['pg_advisory_xact_lock_shared', { operation: 'acquire', scope: 'transaction', shared: true }],
  ['pg_try_advisory_xact_lock', { operation: 'try-acquire', scope: 'transaction', shared: false }],
  ['pg_try_advisory_xact_lock_shared', { operation: 'try-acquire', scope: 'transaction', shared: true }],
  ['pg_advisory_unlock', { operation: 'release', scope: 'session', shared: false }],
  ['pg_advisory_unlock_shared', { operation: 'release', scope: 'session', shared: true }],
  ['pg_advisory_unlock_all', { operation: 'release-all', scope: 'session', shared: false }],
  ['get_lock', { operation: 'try-acquire', scope: 'session', shared: false }],
  ['release_lock', { operation: 'release', scope: 'session', shared: false }],
  ['release_all_locks', { operation: 'release-all', scope: 'session', shared: false }],
]);

/** Where an output list is open at one bracket level, and where its current item starts. */
interface Level { item: number | undefined; readonly open: number }

const LIST_ENDS: ReadonlySet<string> = new Set([
  'from', 'where', 'group', 'having', 'order', 'limit', 'union', 'intersect', 'except', 'for', 'into', 'set', 'values',
]);

function callsOf(range: SqlRange): readonly SqlLockCall[] {
  const calls: SqlLockCall[] = [];
  const levels: Level[] = [{ item: undefined, open: -1 }];
  // A lock function inside the arguments of another is not looked for: nested floods of them would cost quadratic time.
  let argumentsEnd = range.from;
  for (let at = range.from; at < range.to; at += 1) {
    moveLevels(range, at, levels);
    const token = tokenAt(range, at);
    const traits = token?.kind === 'word' && tokenAt(range, at + 1)?.kind === 'open' ? FUNCTIONS.get(token.word) : undefined;
    if (token === undefined || traits === undefined || at < argumentsEnd) {
      continue;
    }
    argumentsEnd = skip(range, at + 1);
    const args = splitList(inside(range, at + 1)).filter((item) => !isEmpty(item)).map(parseValue);
    const column = outputColumn(range, at, levels);
    calls.push({ function: token.word, ...traits, args, ...(column === undefined ? {} : { column }) });
  }
  return calls;
}

function moveLevels(range: SqlRange, at: number, levels: Level[]): void {
  const kind = tokenAt(range, at)?.kind;
  const word = wordAt(range, at);
  const level = levels.at(-1);
  if (kind === 'open') {
    levels.push({ item: undefined, open: at });
  } else if (kind === 'close' && levels.length > 1) {
    levels.pop();
  } else if (level !== undefined && word === 'select') {
    level.item = at + 1;
  } else if (level?.item !== undefined && kind === 'comma') {
    level.item = at + 1;
  } else if (level !== undefined && LIST_ENDS.has(word)) {
    level.item = undefined;
  }
}

/** The name of the output that is this call and nothing more, brackets aside: `NOT f()` and `count(f())` answer something else. */
function outputColumn(range: SqlRange, at: number, levels: readonly Level[]): string | undefined {
  let from = tokenAt(range, at - 1)?.kind === 'dot' ? at - 2 : at;
  let to = skip(range, at + 1);
  let depth = levels.length - 1;
  while (levels[depth]?.item === undefined) {
    const open = levels[depth]?.open ?? -1;
    if (open === -1 || open !== from - 1 || skip(range, open) !== to + 1 || isCallee(range, open - 1)) {
      break;
    }
    [from, to, depth] = [open, to + 1, depth - 1];
  }
  const item = levels[depth]?.item;
  if (item === undefined || (item !== from && wordAt(range, from - 1) !== 'distinct')) {
    return undefined;
  }
  const rest = slice(range, from);
  const end = findTop(rest, (index) => endsItem(rest, index), to);
  const { body, alias } = splitAlias(slice(rest, from, end === -1 ? rest.to : end));
  return body.to === to ? alias ?? tokenAt(range, at)?.word : undefined;
}

function isCallee(range: SqlRange, at: number): boolean {
  const token = tokenAt(range, at);
  return token?.kind === 'quoted' || (token?.kind === 'word' && !SQL_KEYWORDS.has(token.word));
}

function endsItem(range: SqlRange, at: number): boolean {
  const kind = tokenAt(range, at)?.kind;
  return kind === 'comma' || kind === 'close' || LIST_ENDS.has(wordAt(range, at));
}
