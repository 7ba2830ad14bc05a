import { readName } from './sql-name.js';
import { inside, isBracket, isEmpty, findTop, holesOf, skip, slice, SQL_MAX_DEPTH, startsQuery, textOf, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import { parseSelect } from './sql-select.js';
import type { SqlValue } from './sql-types.js';
import { SQL_CONSTANTS, SQL_KEYWORDS, SQL_TIME_UNITS } from './sql-words.js';

/** Reads a range as one value. What is no literal, hole, param, column or query is an expression with its text and parts. */
export function parseValue(range: SqlRange): SqlValue {
  if (range.depth > SQL_MAX_DEPTH) {
    return expression(range);
  }
  if (isBracket(range)) {
    return bracketed(range);
  }
  if (wordAt(range, range.from) === 'cast' && isBracket(slice(range, range.from + 1))) {
    const body = inside(range, range.from + 1);
    const as = findTop(body, (at) => wordAt(body, at) === 'as');
    return parseValue(as === -1 ? body : slice(body, body.from, as));
  }
  return single(range) ?? column(range) ?? expression(range);
}

function bracketed(range: SqlRange): SqlValue {
  const body = inside(range, range.from);
  if (startsQuery(body)) {
    return { kind: 'subquery', select: parseSelect(body) };
  }
  const isList = findTop(body, (at) => tokenAt(body, at)?.kind === 'comma') !== -1;
  return isList || isEmpty(body) ? expression(range) : parseValue(body);
}

function single(range: SqlRange): SqlValue | undefined {
  const [first, second] = [tokenAt(range, range.from), tokenAt(range, range.from + 1)];
  if (range.to - range.from === 2 && second?.kind === 'number' && (first?.text === '-' || first?.text === '+')) {
    return { kind: 'literal', value: Number(first.text + second.text) };
  }
  if (first === undefined || range.to - range.from !== 1) {
    return undefined;
  }
  switch (first.kind) {
    case 'number':
      return { kind: 'literal', value: Number(first.text) };
    case 'string':
      return stringValue(range, first.text, first.holes);
    case 'hole':
      return { kind: 'hole', index: first.holes[0] ?? 0 };
    case 'param':
      return { kind: 'param', name: first.text, ...(first.index === undefined ? {} : { index: first.index }) };
    default:
      return constant(first.word);
  }
}

/** `'${x}'` is the hole itself; a hole among other text makes an expression. */
function stringValue(range: SqlRange, text: string, holes: readonly number[]): SqlValue {
  const [hole] = holes;
  if (hole === undefined) {
    return { kind: 'literal', value: text };
  }
  return text === `{hole:${String(hole)}}` ? { kind: 'hole', index: hole } : expression(range);
}

function constant(word: string): SqlValue | undefined {
  if (word === 'true' || word === 'false') {
    return { kind: 'literal', value: word === 'true' };
  }
  return word === 'null' ? { kind: 'literal', value: null } : undefined;
}

function column(range: SqlRange): SqlValue | undefined {
  const first = tokenAt(range, range.from);
  const isConstant = first?.kind === 'word' && range.to - range.from === 1 && SQL_CONSTANTS.has(first.word);
  const name = isConstant ? undefined : readName(range, range.from);
  // EXCLUDED.x is the row that was to be inserted, not a column of the table.
  if (name?.next !== range.to || name.name === '*' || name.qualifier?.toLowerCase() === 'excluded') {
    return undefined;
  }
  return { kind: 'column', name: name.name, ...(name.qualifier === undefined ? {} : { table: name.qualifier }) };
}

function expression(range: SqlRange): SqlValue {
  const columns = new Set<string>();
  const calls = new Set<string>();
  const params = new Set<string>();
  const literals: (string | number)[] = [];
  for (let at = range.from; at < range.to; at += 1) {
    const token = tokenAt(range, at);
    if (token?.kind === 'param') {
      params.add(token.text);
    } else if (token?.kind === 'string') {
      literals.push(token.text);
    } else if (token?.kind === 'number') {
      literals.push(Number(token.text));
    } else if (token?.kind === 'word' || token?.kind === 'quoted') {
      addName(range, at, columns, calls);
    }
  }
  const text = textOf(range);
  return { kind: 'expression', text, columns: [...columns], calls: [...calls], holes: holesOf(range), params: [...params], literals };
}

/** Words of a type or of a clause inside a call, by the word behind them: `date '2020-01-01'`, `extract(epoch from x)`, `at time zone`. */
function addName(range: SqlRange, at: number, columns: Set<string>, calls: Set<string>): void {
  const token = tokenAt(range, at);
  const next = tokenAt(range, at + 1);
  if (token === undefined || next?.kind === 'dot') {
    return;
  }
  const isDotted = tokenAt(range, at - 1)?.kind === 'dot';
  if (next?.kind === 'open') {
    if (isDotted || !SQL_KEYWORDS.has(token.word)) {
      calls.add(token.text.toLowerCase());
    }
    return;
  }
  if (token.kind === 'quoted' || isDotted) {
    columns.add(token.text);
    return;
  }
  if (SQL_CONSTANTS.has(token.word)) {
    addConstantCall(token.word, calls);
    return;
  }
  const isGrammar = SQL_KEYWORDS.has(token.word) || next?.kind === 'string' || next?.word === 'from' || isTimeWord(range, at, token.word);
  if (!isGrammar) {
    columns.add(token.text);
  }
}

/** `current_timestamp` is a call written without brackets. */
function addConstantCall(word: string, calls: Set<string>): void {
  if (!['null', 'true', 'false', 'default'].includes(word)) {
    calls.add(word);
  }
}

function isTimeWord(range: SqlRange, at: number, word: string): boolean {
  if (SQL_TIME_UNITS.has(word)) {
    return ['number', 'param', 'hole', 'string'].includes(tokenAt(range, at - 1)?.kind ?? '');
  }
  const zone = word === 'at' ? at : word === 'time' ? at - 1 : word === 'zone' ? at - 2 : -1;
  return zone !== -1 && wordAt(range, zone) === 'at' && wordAt(range, zone + 1) === 'time';
}

/** Whether a call of one of `names` opens at `at`, and what stands in its brackets. */
export function callAt(range: SqlRange, at: number, names: ReadonlySet<string>): SqlRange | undefined {
  const isCall = names.has(wordAt(range, at)) && tokenAt(range, at + 1)?.kind === 'open' && skip(range, at + 1) <= range.to;
  return isCall ? inside(range, at + 1) : undefined;
}
