import { parseCondition } from './sql-condition.js';
import { isLooseHole, readAlias, readName } from './sql-name.js';
import { findTop, inside, skip, slice, startsQuery, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import { parseSelect } from './sql-select.js';
import type { SqlCondition, SqlCte } from './sql-types.js';

/** What a FROM list (or the head of an UPDATE) names. */
export interface SqlTables {
  readonly tables: readonly SqlTable[];
  /** `(SELECT …) AS x` is read like a CTE named `x`. */
  readonly derived: readonly SqlCte[];
  /** ON conditions of inner joins: they restrict the rows as WHERE does. */
  readonly on: readonly SqlCondition[];
  /** Holes that may hold a join or a clause. */
  readonly tail: readonly number[];
}
export interface SqlTable { readonly name: string; readonly alias?: string }

/** Reads a list of tables, joins and subqueries; set-returning functions are no tables. */
export function readTables(range: SqlRange | undefined): SqlTables {
  const tables: SqlTable[] = [];
  const derived: SqlCte[] = [];
  const on: SqlCondition[] = [];
  const tail: number[] = [];
  if (range === undefined) {
    return { tables, derived, on, tail };
  }
  let expects = true;
  for (let at = range.from; at < range.to;) {
    const item: Item | undefined = expects ? readItem(range, at) : undefined;
    if (item !== undefined) {
      tables.push(...item.tables);
      derived.push(...item.derived);
      expects = false;
      at = Math.max(item.next, at + 1);
      continue;
    }
    const word = wordAt(range, at);
    if (word === 'on') {
      const end = joinEnd(range, at + 1);
      on.push(...onCondition(range, at, end));
      at = end;
      continue;
    }
    if (isLooseHole(range, at)) {
      tail.push(...(tokenAt(range, at)?.holes ?? []));
    }
    expects = (expects && ['lateral', 'only'].includes(word)) || word === 'join' || tokenAt(range, at)?.kind === 'comma';
    at = skip(range, at);
  }
  return { tables, derived, on, tail };
}

interface Item { readonly tables: readonly SqlTable[]; readonly derived: readonly SqlCte[]; readonly next: number }

function readItem(range: SqlRange, at: number): Item | undefined {
  if (tokenAt(range, at)?.kind === 'open') {
    return readBracket(range, at);
  }
  const name = readName(range, at);
  if (name === undefined) {
    return undefined;
  }
  if (tokenAt(range, name.next)?.kind === 'open') {
    const { next } = readAlias(range, skip(range, name.next));
    return { tables: [], derived: [], next };
  }
  const { alias, next } = readAlias(range, tokenAt(range, name.next)?.text === '*' ? name.next + 1 : name.next);
  return { tables: [{ name: name.name, ...(alias === undefined ? {} : { alias }) }], derived: [], next };
}

function readBracket(range: SqlRange, at: number): Item {
  const body = inside(range, at);
  const { alias, next } = readAlias(range, skip(range, at));
  if (!startsQuery(body)) {
    const { tables, derived } = body.depth > 8 ? { tables: [], derived: [] } : readTables(body);
    return { tables, derived, next };
  }
  const name = alias ?? '';
  return { tables: [{ name }], derived: [{ name, statement: parseSelect(body) }], next };
}

const JOIN_WORDS: ReadonlySet<string> = new Set(['join', 'inner', 'left', 'right', 'full', 'cross', 'natural']);

function joinEnd(range: SqlRange, from: number): number {
  const end = findTop(range, (at) => JOIN_WORDS.has(wordAt(range, at)) || tokenAt(range, at)?.kind === 'comma', from);
  return end === -1 ? range.to : end;
}

/** The condition of an outer join does not keep rows out. */
function onCondition(range: SqlRange, on: number, end: number): readonly SqlCondition[] {
  for (let at = on - 1; at >= Math.max(range.from, on - 12); at -= 1) {
    const word = wordAt(range, at);
    if (word === 'left' || word === 'right' || word === 'full') {
      return [];
    }
    if (word === 'join' && !['left', 'right', 'full', 'outer'].includes(wordAt(range, at - 1))) {
      break;
    }
  }
  return [parseCondition(slice(range, on + 1, end))];
}
