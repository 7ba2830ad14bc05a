import { parseFunctionBody } from './lua-parse.js';
import { accept, expect, isNext, LUA_MAX_DEPTH, peek, takeName, textFrom, type LuaReader } from './lua-reader.js';
import type { LuaExpression } from './lua-syntax.js';

const PRECEDENCE: Readonly<Record<string, number>> = {
  'or': 1, 'and': 2, '<': 3, '>': 3, '<=': 3, '>=': 3, '~=': 3, '==': 3, '..': 4, '+': 5, '-': 5, '*': 6, '/': 6, '%': 6, '^': 8,
};
const UNARY_PRECEDENCE = 7;

/** A chain longer than this (`a or b or …`) would nest the tree too deep to walk. */
const MAX_CHAIN = 200;

/** Reads one expression that binds tighter than `above`. */
export function parseExpression(reader: LuaReader, above = 0): LuaExpression {
  const { start } = peek(reader);
  reader.depth += 1;
  if (reader.depth > LUA_MAX_DEPTH) {
    reader.broken = true;
  }
  let left: LuaExpression = reader.broken ? { kind: 'other', text: '' } : parseUnary(reader);
  for (let links = 0; !reader.broken; links += 1) {
    const token = peek(reader);
    const precedence = token.kind === 'symbol' || token.kind === 'keyword' ? PRECEDENCE[token.text] : undefined;
    if (precedence === undefined || precedence <= above) {
      break;
    }
    reader.broken = links > MAX_CHAIN;
    reader.at += 1;
    const right = parseExpression(reader, precedence);
    left = { kind: 'binary', operator: token.text, left, right, text: textFrom(reader, start) };
  }
  reader.depth -= 1;
  return left;
}

/** Reads expressions up to one that no comma follows. */
export function parseExpressions(reader: LuaReader): readonly LuaExpression[] {
  const expressions = [parseExpression(reader)];
  while (!reader.broken && accept(reader, ',')) {
    expressions.push(parseExpression(reader));
  }
  return expressions;
}

function parseUnary(reader: LuaReader): LuaExpression {
  const token = peek(reader);
  const isUnary = (token.kind === 'keyword' && token.text === 'not') || (token.kind === 'symbol' && (token.text === '-' || token.text === '#'));
  if (!isUnary) {
    return parseSimple(reader);
  }
  reader.at += 1;
  const operand = parseExpression(reader, UNARY_PRECEDENCE);
  const text = textFrom(reader, token.start);
  if (token.text === '-' && operand.kind === 'constant' && typeof operand.value === 'number') {
    return { kind: 'constant', value: -operand.value, text };
  }
  return { kind: 'unary', operator: token.text, operand, text };
}

const CONSTANTS: Readonly<Record<string, boolean | null>> = { true: true, false: false, nil: null };

function parseSimple(reader: LuaReader): LuaExpression {
  const token = peek(reader);
  const text = reader.text.slice(token.start, token.end);
  const constant = token.kind === 'keyword' ? CONSTANTS[token.text] : undefined;
  if (token.kind === 'number' || token.kind === 'string' || constant !== undefined) {
    reader.at += 1;
    return { kind: 'constant', value: token.kind === 'number' ? Number(token.text) : constant ?? (token.kind === 'string' ? token.text : null), text };
  }
  if (accept(reader, '...')) {
    return { kind: 'other', text };
  }
  if (isNext(reader, '{')) {
    return parseTable(reader);
  }
  if (accept(reader, 'function')) {
    const { params, body } = parseFunctionBody(reader);
    return { kind: 'function', params, body, text: textFrom(reader, token.start) };
  }
  return parseSuffixed(reader);
}

/** Reads a name or bracket with the indexes and calls behind it. */
export function parseSuffixed(reader: LuaReader): LuaExpression {
  const { start } = peek(reader);
  let expression = parsePrimary(reader);
  for (let links = 0; !reader.broken; links += 1) {
    const next = parseSuffix(reader, expression, start);
    if (next === undefined) {
      break;
    }
    reader.broken = links > MAX_CHAIN;
    expression = next;
  }
  return expression;
}

function parsePrimary(reader: LuaReader): LuaExpression {
  if (accept(reader, '(')) {
    const inner = parseExpression(reader);
    expect(reader, ')');
    return inner;
  }
  const name = takeName(reader);
  return { kind: 'name', name, text: name };
}

function parseSuffix(reader: LuaReader, object: LuaExpression, start: number): LuaExpression | undefined {
  if (accept(reader, '.')) {
    const name = takeName(reader);
    return { kind: 'index', object, key: { kind: 'constant', value: name, text: name }, text: textFrom(reader, start) };
  }
  if (accept(reader, '[')) {
    const key = parseExpression(reader);
    expect(reader, ']');
    return { kind: 'index', object, key, text: textFrom(reader, start) };
  }
  if (accept(reader, ':')) {
    const name = takeName(reader);
    const method: LuaExpression = { kind: 'index', object, key: { kind: 'constant', value: name, text: name }, text: textFrom(reader, start) };
    const args = parseArguments(reader);
    return args === undefined ? { kind: 'other', text: '' } : { kind: 'call', callee: method, args: [object, ...args], text: textFrom(reader, start) };
  }
  const args = parseArguments(reader);
  return args === undefined ? undefined : { kind: 'call', callee: object, args, text: textFrom(reader, start) };
}

function parseArguments(reader: LuaReader): readonly LuaExpression[] | undefined {
  if (peek(reader).kind === 'string' || isNext(reader, '{')) {
    return [parseSimple(reader)];
  }
  if (!accept(reader, '(')) {
    return undefined;
  }
  const args = isNext(reader, ')') ? [] : parseExpressions(reader);
  expect(reader, ')');
  return args;
}

function parseTable(reader: LuaReader): LuaExpression {
  const { start } = peek(reader);
  const items: LuaExpression[] = [];
  expect(reader, '{');
  while (!reader.broken && !isNext(reader, '}')) {
    items.push(parseField(reader));
    if (!accept(reader, ',') && !accept(reader, ';')) {
      break;
    }
  }
  expect(reader, '}');
  return { kind: 'table', items, text: textFrom(reader, start) };
}

function parseField(reader: LuaReader): LuaExpression {
  if (accept(reader, '[')) {
    parseExpression(reader);
    expect(reader, ']');
    expect(reader, '=');
  } else if (peek(reader).kind === 'name' && peek(reader, 1).text === '=' && peek(reader, 1).kind === 'symbol') {
    reader.at += 2;
  }
  return parseExpression(reader);
}
