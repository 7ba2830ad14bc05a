import { allOf, negate } from './sql-condition-algebra.js';
import { comparison } from './sql-comparison.js';
import { findTop, inside, isBracket, isEmpty, slice, splitList, startsQuery, textOf, tokenAt, wordAt, type SqlRange } from './sql-range.js';
import { parseSelect } from './sql-select.js';
import type { SqlCondition, SqlOperator, SqlValue } from './sql-types.js';
import { callAt, parseValue } from './sql-value.js';

/** Reads one predicate (`a = 1`, `a IN (…)`, `a IS NULL`, a bare boolean column); undefined when it is not understood. */
export function parsePredicate(range: SqlRange): SqlCondition | undefined {
  const operator = findTop(range, (at) => isOperator(range, at));
  if (operator === -1) {
    return bareBoolean(range);
  }
  const left = slice(range, range.from, operator);
  if (isEmpty(left)) {
    return undefined;
  }
  const symbol = SYMBOLS[tokenAt(range, operator)?.text ?? ''];
  if (symbol !== undefined) {
    return symbolPredicate(left, symbol, slice(range, operator + 1));
  }
  return wordPredicate(left, slice(range, operator));
}

const SYMBOLS: Readonly<Record<string, SqlOperator>> = {
  '=': '=', '==': '=', '<=>': '=', '<>': '<>', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=', '~': 'other', '~*': 'other', '!~': 'other', '!~*': 'other',
  '@>': 'other', '<@': 'other', '?|': 'other', '?&': 'other', '&&': 'other',
};

const OPERATOR_WORDS: ReadonlySet<string> = new Set([
  'in', 'is', 'isnull', 'notnull', 'like', 'ilike', 'between', 'not', 'similar', 'regexp', 'rlike', 'glob',
]);

function isOperator(range: SqlRange, at: number): boolean {
  const token = tokenAt(range, at);
  return token?.kind === 'op' ? SYMBOLS[token.text] !== undefined : OPERATOR_WORDS.has(wordAt(range, at));
}

function bareBoolean(range: SqlRange): SqlCondition | undefined {
  const value = parseValue(range);
  if (value.kind === 'literal' && (value.value === true || value.value === 1)) {
    return allOf([]);
  }
  return value.kind === 'column' ? comparison(value, '=', [{ kind: 'literal', value: true }]) : undefined;
}

function symbolPredicate(left: SqlRange, op: SqlOperator, right: SqlRange): SqlCondition | undefined {
  // `a == 1` comes as two tokens.
  const operand = op === '=' && tokenAt(right, right.from)?.text === '=' ? slice(right, right.from + 1) : right;
  if (isEmpty(operand)) {
    return undefined;
  }
  const quantified = quantifiedOperand(operand);
  if (quantified !== undefined) {
    return comparison(parseValue(left), quantifiedOperator(op, quantified.all), quantified.values);
  }
  return rowPredicate(left, op, operand) ?? comparison(parseValue(left), op, [parseValue(operand)]);
}

const QUANTIFIERS: ReadonlySet<string> = new Set(['any', 'some', 'all']);

function quantifiedOperand(range: SqlRange): { readonly all: boolean; readonly values: readonly SqlValue[] } | undefined {
  const body = callAt(range, range.from, QUANTIFIERS);
  if (body === undefined || !isBracket(slice(range, range.from + 1))) {
    return undefined;
  }
  return { all: wordAt(range, range.from) === 'all', values: startsQuery(body) ? listValues(body) : arrayValues(body) };
}

function quantifiedOperator(op: SqlOperator, all: boolean): SqlOperator {
  if (op === '=' && !all) {
    return 'in';
  }
  return op === '<>' && all ? 'not in' : 'other';
}

/** `ARRAY['a', 'b']` and `'{a,b}'` list their values; any other array is one value. */
function arrayValues(range: SqlRange): readonly SqlValue[] {
  if (wordAt(range, range.from) === 'array' && tokenAt(range, range.from + 1)?.text === '[' && tokenAt(range, range.to - 1)?.text === ']') {
    return splitList(slice(range, range.from + 2, range.to - 1)).map(parseValue);
  }
  const value = parseValue(range);
  if (value.kind === 'literal' && typeof value.value === 'string' && /^\{[\w\s,-]*\}$/u.test(value.value)) {
    return value.value.slice(1, -1).split(',').map((item) => ({ kind: 'literal', value: item.trim() }));
  }
  return [value];
}

/** `(a, b) = ($1, $2)` is two comparisons. */
function rowPredicate(left: SqlRange, op: SqlOperator, right: SqlRange): SqlCondition | undefined {
  if (op !== '=' || !isBracket(left) || !isBracket(right) || startsQuery(inside(right, right.from))) {
    return undefined;
  }
  const [columns, values] = [splitList(inside(left, left.from)), splitList(inside(right, right.from))];
  if (columns.length < 2 || columns.length !== values.length) {
    return undefined;
  }
  const items = columns.map((column, at) => comparison(parseValue(column), '=', [parseValue(values[at] ?? column)]));
  return items.every((item) => item !== undefined) ? allOf(items) : undefined;
}

function wordPredicate(left: SqlRange, rest: SqlRange): SqlCondition | undefined {
  const isNot = wordAt(rest, rest.from) === 'not';
  const at = isNot ? rest.from + 1 : rest.from;
  const condition = positivePredicate(parseValue(left), wordAt(rest, at), slice(rest, at + 1));
  return condition !== undefined && isNot ? negate(condition) : condition;
}

function positivePredicate(left: SqlValue, word: string, right: SqlRange): SqlCondition | undefined {
  switch (word) {
    case 'in':
      return isEmpty(right) ? undefined : comparison(left, 'in', listValues(right));
    case 'is':
      return isPredicate(left, right);
    case 'isnull':
    // SQLite's `a NOT NULL`: the NOT is taken by the caller.
    case 'null':
      return comparison(left, 'is null', []);
    case 'notnull':
      return comparison(left, 'is not null', []);
    case 'like':
    case 'ilike':
      return comparison(left, 'like', [parseValue(right)]);
    case 'between':
      return betweenPredicate(left, right);
    case 'similar':
    case 'regexp':
    case 'rlike':
    case 'glob':
      return comparison(left, 'other', [parseValue(right)]);
    default:
      return undefined;
  }
}

function listValues(range: SqlRange): readonly SqlValue[] {
  if (startsQuery(range)) {
    return [{ kind: 'subquery', select: parseSelect(isBracket(range) ? inside(range, range.from) : range) }];
  }
  return isBracket(range) ? splitList(inside(range, range.from)).map(parseValue) : [parseValue(range)];
}

function isPredicate(left: SqlValue, right: SqlRange): SqlCondition | undefined {
  const isNot = wordAt(right, right.from) === 'not';
  const operand = isNot ? slice(right, right.from + 1) : right;
  if (textOf(operand).toLowerCase() === 'null') {
    return comparison(left, isNot ? 'is not null' : 'is null', []);
  }
  const isDistinct = wordAt(operand, operand.from) === 'distinct' && wordAt(operand, operand.from + 1) === 'from';
  const value = isDistinct ? slice(operand, operand.from + 2) : operand;
  if (isEmpty(value)) {
    return undefined;
  }
  const parsed = parseValue(value);
  // `IS ${x}` may be NULL, NOT NULL or a value: SQLite compares with it, PostgreSQL would not parse it.
  if (parsed.kind === 'hole' && !isDistinct) {
    return undefined;
  }
  return comparison(left, isDistinct === isNot ? '=' : '<>', [parsed]);
}

function betweenPredicate(left: SqlValue, right: SqlRange): SqlCondition | undefined {
  const range = wordAt(right, right.from) === 'symmetric' ? slice(right, right.from + 1) : right;
  const and = findTop(range, (at) => wordAt(range, at) === 'and');
  if (and === -1) {
    return undefined;
  }
  const low = comparison(left, '>=', [parseValue(slice(range, range.from, and))]);
  const high = comparison(left, '<=', [parseValue(slice(range, and + 1))]);
  return low === undefined || high === undefined ? undefined : allOf([low, high]);
}
