import { slice, tokenAt, type SqlRange } from './sql-range.js';
import { SQL_KEYWORDS, SQL_OPERAND_FOLLOWS } from './sql-words.js';

/** A name as written, without quotes: `public.jobs` is `jobs` of `public`. */
export interface SqlName {
  readonly name: string;
  readonly qualifier?: string;
  /** Index behind the name. */
  readonly next: number;
}

/** Reads a dotted name that starts at `at`; a hole or `??` may stand for a part of it. Undefined when no name stands there. */
export function readName(range: SqlRange, at: number): SqlName | undefined {
  let name = namePart(range, at);
  if (name === undefined) {
    return undefined;
  }
  let qualifier: string | undefined;
  let next = at + 1;
  while (tokenAt(range, next)?.kind === 'dot') {
    const part = namePart(range, next + 1) ?? (tokenAt(range, next + 1)?.text === '*' ? '*' : undefined);
    if (part === undefined) {
      break;
    }
    qualifier = name;
    name = part;
    next += 2;
  }
  return { name, next, ...(qualifier === undefined ? {} : { qualifier }) };
}

function namePart(range: SqlRange, at: number): string | undefined {
  const token = tokenAt(range, at);
  if (token === undefined) {
    return undefined;
  }
  if (token.kind === 'quoted') {
    return token.text;
  }
  if (token.kind === 'word') {
    const dotted = tokenAt(range, at - 1)?.kind === 'dot' || tokenAt(range, at + 1)?.kind === 'dot';
    return dotted || !SQL_KEYWORDS.has(token.word) ? token.text : undefined;
  }
  if (token.kind === 'hole') {
    return `{hole:${String(token.holes[0] ?? 0)}}`;
  }
  return token.kind === 'param' && token.text === '??' ? '??' : undefined;
}

/** Reads `AS x` or a bare `x` behind a table or an output column; `next` is `at` when there is none. */
export function readAlias(range: SqlRange, at: number): { readonly alias?: string; readonly next: number } {
  const explicit = tokenAt(range, at)?.word === 'as';
  const token = tokenAt(range, explicit ? at + 1 : at);
  const isName = token?.kind === 'quoted' || (token?.kind === 'word' && (explicit || !SQL_KEYWORDS.has(token.word)));
  if (token === undefined || !isName) {
    return explicit && token?.kind === 'hole' ? { alias: token.text, next: at + 2 } : { next: at };
  }
  return { alias: token.text, next: at + (explicit ? 2 : 1) };
}

/**
 * Splits off the holes at the end of a range that no operator or keyword ties to what stands before: `a = 1 ${rest}`. Such a hole may hold any
 * further clause.
 */
export function splitTail(range: SqlRange): { readonly body: SqlRange; readonly tail: readonly number[] } {
  let to = range.to;
  const tail: number[] = [];
  while (to - 1 > range.from && isLooseHole(range, to - 1)) {
    tail.unshift(...(tokenAt(range, to - 1)?.holes ?? []));
    to -= 1;
  }
  return { body: slice(range, range.from, to), tail };
}

/** Whether the token at `at` is a hole and the token before it already ended an operand. */
export function isLooseHole(range: SqlRange, at: number): boolean {
  return tokenAt(range, at)?.kind === 'hole' && endsOperand(range, at - 1);
}

/** Whether an operand (or a clause) is complete with the token at `at`. */
export function endsOperand(range: SqlRange, at: number): boolean {
  const token = tokenAt(range, at);
  if (token === undefined) {
    return false;
  }
  if (token.kind === 'word') {
    return !SQL_OPERAND_FOLLOWS.has(token.word);
  }
  return ['quoted', 'string', 'number', 'param', 'hole', 'close'].includes(token.kind) || token.text === ']';
}
