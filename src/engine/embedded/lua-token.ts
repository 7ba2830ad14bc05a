/** One token; `text` is the content for strings. `end` is exclusive. */
export interface LuaToken {
  readonly kind: 'name' | 'keyword' | 'string' | 'number' | 'symbol';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  'and', 'break', 'do', 'else', 'elseif', 'end', 'false', 'for', 'function', 'if', 'in', 'local', 'nil', 'not', 'or', 'repeat', 'return', 'then', 'true',
  'until', 'while',
]);

/** Cuts Lua 5.1 text into tokens; undefined when a character or an open string fits nowhere. Never throws. */
export function tokenizeLua(text: string): readonly LuaToken[] | undefined {
  const tokens: LuaToken[] = [];
  for (let at = 0; at < text.length;) {
    const skipped = blankEnd(text, at);
    if (skipped !== at) {
      at = skipped;
      continue;
    }
    const token = readToken(text, at);
    if (token === undefined) {
      return undefined;
    }
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function blankEnd(text: string, at: number): number {
  BLANK.lastIndex = at;
  if (BLANK.test(text)) {
    return BLANK.lastIndex;
  }
  if (!text.startsWith('--', at)) {
    return at;
  }
  const long = longBracket(text, at + 2);
  if (long !== undefined) {
    return long.end;
  }
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

const BLANK = /\s+/uy;
const NAME = /[A-Za-z_]\w*/uy;
const NUMBER = /0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iuy;
const SYMBOL = /\.\.\.|\.\.|==|~=|<=|>=|[-+*/%^#<>=(){}[\];:,.]/uy;

function readToken(text: string, at: number): LuaToken | undefined {
  const name = match(NAME, text, at);
  if (name !== undefined) {
    return { kind: KEYWORDS.has(name) ? 'keyword' : 'name', text: name, start: at, end: at + name.length };
  }
  const number = match(NUMBER, text, at);
  if (number !== undefined) {
    return { kind: 'number', text: number, start: at, end: at + number.length };
  }
  if (text[at] === '"' || text[at] === '\'') {
    return quoted(text, at);
  }
  const long = longBracket(text, at);
  if (long !== undefined) {
    return { kind: 'string', text: long.content, start: at, end: long.end };
  }
  const symbol = match(SYMBOL, text, at);
  return symbol === undefined ? undefined : { kind: 'symbol', text: symbol, start: at, end: at + symbol.length };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function quoted(text: string, start: number): LuaToken | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === quote) {
      return { kind: 'string', text: text.slice(start + 1, at), start, end: at + 1 };
    }
    if (char === '\n') {
      return undefined;
    }
    at += char === '\\' ? 1 : 0;
  }
  return undefined;
}

const LONG = /\[(=*)\[/uy;

function longBracket(text: string, at: number): { readonly content: string; readonly end: number } | undefined {
  LONG.lastIndex = at;
  const open = LONG.exec(text);
  if (open === null) {
    return undefined;
  }
  const close = `]${open[1] ?? ''}]`;
  const end = text.indexOf(close, at + open[0].length);
  const stop = end === -1 ? text.length : end;
  return { content: text.slice(at + open[0].length, stop), end: Math.min(stop + close.length, text.length) };
}
