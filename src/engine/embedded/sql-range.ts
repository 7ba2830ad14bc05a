import { showHoles } from './sql-hole.js';
import type { SqlToken } from './sql-token.js';

/** The tokens of one statement; `partners[i]` is the index of the bracket that closes the bracket (or CASE) at `i`, or -1. */
export interface SqlSource {
  readonly text: string;
  readonly tokens: readonly SqlToken[];
  readonly partners: readonly number[];
}

/** A stretch of a statement, `to` exclusive. `depth` counts the brackets entered, so that no reader recurses without limit. */
export interface SqlRange {
  readonly source: SqlSource;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

/** Deeper brackets are not read: the piece is opaque. */
export const SQL_MAX_DEPTH = 40;

/** The whole statement as a range, with its brackets paired. An unclosed bracket reaches to the end. */
export function sourceRange(text: string, tokens: readonly SqlToken[]): SqlRange {
  return { source: { text, tokens, partners: pairBrackets(tokens) }, from: 0, to: tokens.length, depth: 0 };
}

function pairBrackets(tokens: readonly SqlToken[]): readonly number[] {
  const partners = tokens.map(() => -1);
  const open: number[] = [];
  tokens.forEach((token, at) => {
    if (token.kind === 'open' || token.word === 'case') {
      open.push(at);
    } else if (token.kind === 'close') {
      closeBracket(tokens, partners, open, at);
    } else if (token.word === 'end' && tokens[open.at(-1) ?? -1]?.word === 'case') {
      partners[open.pop() ?? at] = at;
    }
  });
  for (const at of open) {
    partners[at] = tokens[at]?.kind === 'open' ? tokens.length : -1;
  }
  return partners;
}

function closeBracket(tokens: readonly SqlToken[], partners: number[], open: number[], at: number): void {
  while (open.length > 0 && tokens[open.at(-1) ?? -1]?.kind !== 'open') {
    open.pop();
  }
  const start = open.pop();
  if (start !== undefined) {
    partners[start] = at;
  }
}

/** The part of a range between two token indexes. */
export function slice(range: SqlRange, from: number, to: number = range.to): SqlRange {
  return { ...range, from: Math.min(from, range.to), to: Math.max(Math.min(to, range.to), Math.min(from, range.to)) };
}

/** What stands between the bracket at `open` and its partner. */
export function inside(range: SqlRange, open: number): SqlRange {
  const close = range.source.partners[open] ?? -1;
  return { ...slice(range, open + 1, close === -1 ? range.to : close), depth: range.depth + 1 };
}

/** The token at an index, when it lies in the range. */
export function tokenAt(range: SqlRange, at: number): SqlToken | undefined {
  return at >= range.from && at < range.to ? range.source.tokens[at] : undefined;
}

/** The lower-case unquoted word at an index, else an empty string. A word behind a dot or before one is part of a name. */
export function wordAt(range: SqlRange, at: number): string {
  const token = tokenAt(range, at);
  if (token === undefined || token.kind !== 'word' || tokenAt(range, at - 1)?.kind === 'dot' || tokenAt(range, at + 1)?.kind === 'dot') {
    return '';
  }
  return token.word;
}

/** The index behind the token at `at`, or behind the whole bracket or CASE that opens there. */
export function skip(range: SqlRange, at: number): number {
  const partner = range.source.partners[at] ?? -1;
  return partner === -1 ? at + 1 : Math.min(partner + 1, range.to);
}

/** The first index from `start` on, outside all brackets, for which `test` holds; -1 when none. */
export function findTop(range: SqlRange, test: (at: number) => boolean, start: number = range.from): number {
  for (let at = start; at < range.to; at = skip(range, at)) {
    if (test(at)) {
      return at;
    }
  }
  return -1;
}

/** Cuts a range at each token outside brackets for which `test` holds; those tokens are dropped. */
export function splitTop(range: SqlRange, test: (at: number) => boolean): readonly SqlRange[] {
  const pieces: SqlRange[] = [];
  let from = range.from;
  for (let at = range.from; at < range.to; at = skip(range, at)) {
    if (test(at)) {
      pieces.push(slice(range, from, at));
      from = at + 1;
    }
  }
  pieces.push(slice(range, from));
  return pieces;
}

/** Splits at commas; an empty range has no items. */
export function splitList(range: SqlRange): readonly SqlRange[] {
  return isEmpty(range) ? [] : splitTop(range, (at) => tokenAt(range, at)?.kind === 'comma');
}

/** Whether nothing stands in the range. */
export function isEmpty(range: SqlRange): boolean {
  return range.from >= range.to;
}

/** Whether the range is exactly one round bracket. */
export function isBracket(range: SqlRange): boolean {
  return tokenAt(range, range.from)?.kind === 'open' && skip(range, range.from) === range.to;
}

/** Whether a range starts a query: SELECT, WITH or VALUES, perhaps in brackets of its own. */
export function startsQuery(range: SqlRange): boolean {
  let at = range.from;
  while (tokenAt(range, at)?.kind === 'open') {
    at += 1;
  }
  return ['select', 'with', 'values'].includes(wordAt(range, at));
}

/** The text of a range on one line, holes as `{hole:n}`. */
export function textOf(range: SqlRange): string {
  const first = tokenAt(range, range.from);
  const last = tokenAt(range, range.to - 1);
  if (first === undefined || last === undefined) {
    return '';
  }
  return showHoles(range.source.text.slice(first.start, last.end), first.holesBefore).replace(/\s+/gu, ' ');
}

/** The holes of a range, in order. */
export function holesOf(range: SqlRange): readonly number[] {
  const holes: number[] = [];
  for (let at = range.from; at < range.to; at += 1) {
    holes.push(...(range.source.tokens[at]?.holes ?? []));
  }
  return holes;
}
