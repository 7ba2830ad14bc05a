import { parseExpression, parseExpressions, parseSuffixed } from './lua-expression.js';
import { accept, expect, isNext, LUA_MAX_DEPTH, peek, takeName, textFrom, type LuaReader } from './lua-reader.js';
import type { LuaBlock, LuaExpression, LuaStatement } from './lua-syntax.js';
import { tokenizeLua } from './lua-token.js';

/** Longer texts are no lock scripts. */
const MAX_LENGTH = 65_536;

/** Reads a script; undefined when any part of it does not fit. Never throws. */
export function parseLua(text: string): LuaBlock | undefined {
  const tokens = text.length > MAX_LENGTH ? undefined : tokenizeLua(text);
  if (tokens === undefined) {
    return undefined;
  }
  const reader: LuaReader = { text, tokens, at: 0, depth: 0, broken: false };
  const block = parseBlock(reader);
  return reader.broken || reader.at < tokens.length ? undefined : block;
}

const BLOCK_ENDS: ReadonlySet<string> = new Set(['', 'end', 'else', 'elseif', 'until']);

function parseBlock(reader: LuaReader): LuaBlock {
  const statements: LuaStatement[] = [];
  reader.depth += 1;
  reader.broken ||= reader.depth > LUA_MAX_DEPTH;
  while (!reader.broken && !endsBlock(reader)) {
    if (!accept(reader, ';')) {
      statements.push(parseStatement(reader));
    }
  }
  reader.depth -= 1;
  return statements;
}

function endsBlock(reader: LuaReader): boolean {
  const token = peek(reader);
  return (token.kind === 'keyword' || token.text === '') && token.kind !== 'string' && BLOCK_ENDS.has(token.text);
}

function parseStatement(reader: LuaReader): LuaStatement {
  if (accept(reader, 'local')) {
    return parseLocal(reader);
  }
  if (accept(reader, 'if')) {
    return parseIf(reader);
  }
  if (accept(reader, 'for')) {
    return parseFor(reader);
  }
  if (accept(reader, 'while')) {
    const test = parseExpression(reader);
    return { kind: 'loop', names: [], over: [test], body: parseBody(reader) };
  }
  if (accept(reader, 'repeat')) {
    const body = parseBlock(reader);
    expect(reader, 'until');
    return { kind: 'loop', names: [], over: [parseExpression(reader)], body };
  }
  if (accept(reader, 'do')) {
    const body = parseBlock(reader);
    expect(reader, 'end');
    return { kind: 'block', body };
  }
  if (accept(reader, 'return')) {
    return { kind: 'return', values: endsBlock(reader) || isNext(reader, ';') ? [] : parseExpressions(reader) };
  }
  if (accept(reader, 'break')) {
    return { kind: 'break' };
  }
  return accept(reader, 'function') ? parseFunction(reader) : parseAssignment(reader);
}

function parseLocal(reader: LuaReader): LuaStatement {
  if (accept(reader, 'function')) {
    return parseFunction(reader);
  }
  const names = [takeName(reader)];
  while (!reader.broken && accept(reader, ',')) {
    names.push(takeName(reader));
  }
  return { kind: 'local', names, values: accept(reader, '=') ? parseExpressions(reader) : [] };
}

function parseFunction(reader: LuaReader): LuaStatement {
  const { start } = peek(reader);
  const name = takeName(reader);
  const { params, body } = parseFunctionBody(reader);
  return { kind: 'local', names: [name], values: [{ kind: 'function', params, body, text: textFrom(reader, start) }] };
}

/** Reads `(a, b) … end`. */
export function parseFunctionBody(reader: LuaReader): { readonly params: readonly string[]; readonly body: LuaBlock } {
  const params: string[] = [];
  expect(reader, '(');
  while (!reader.broken && !isNext(reader, ')')) {
    if (!accept(reader, '...')) {
      params.push(takeName(reader));
    }
    if (!accept(reader, ',')) {
      break;
    }
  }
  expect(reader, ')');
  const body = parseBlock(reader);
  expect(reader, 'end');
  return { params, body };
}

function parseIf(reader: LuaReader): LuaStatement {
  const branches: { test: LuaExpression; body: LuaBlock }[] = [];
  do {
    const test = parseExpression(reader);
    expect(reader, 'then');
    branches.push({ test, body: parseBlock(reader) });
  } while (!reader.broken && accept(reader, 'elseif'));
  const otherwise = accept(reader, 'else') ? parseBlock(reader) : undefined;
  expect(reader, 'end');
  return { kind: 'if', branches, ...(otherwise === undefined ? {} : { otherwise }) };
}

function parseFor(reader: LuaReader): LuaStatement {
  const names = [takeName(reader)];
  while (!reader.broken && accept(reader, ',')) {
    names.push(takeName(reader));
  }
  if (!accept(reader, '=')) {
    expect(reader, 'in');
  }
  const over = parseExpressions(reader);
  return { kind: 'loop', names, over, body: parseBody(reader) };
}

function parseBody(reader: LuaReader): LuaBlock {
  expect(reader, 'do');
  const body = parseBlock(reader);
  expect(reader, 'end');
  return body;
}

function parseAssignment(reader: LuaReader): LuaStatement {
  const first = parseSuffixed(reader);
  if (first.kind === 'call' && !isNext(reader, '=') && !isNext(reader, ',')) {
    return { kind: 'call', call: first };
  }
  const targets = [first];
  while (!reader.broken && accept(reader, ',')) {
    targets.push(parseSuffixed(reader));
  }
  expect(reader, '=');
  return { kind: 'assign', targets, values: reader.broken ? [] : parseExpressions(reader) };
}
