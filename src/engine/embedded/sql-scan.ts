import { countHoles, showHoles, SQL_HOLE } from './sql-hole.js';
import type { SqlToken } from './sql-token.js';

/** Where the tokenizer stands. Each `scan…` function takes one token (or comment) at `at` and says whether it did. */
export interface SqlScan {
  readonly text: string;
  at: number;
  holes: number;
  params: number;
  failures: number;
  readonly tokens: SqlToken[];
  readonly doubleQuoteIsString: boolean;
}

/** Searches for a closing quote that found none: past this many the text is no SQL, and searching on would cost quadratic time. */
const MAX_FAILURES = 16;

/** Takes a line or block comment; holes inside are counted and forgotten. */
export function scanComment(scan: SqlScan): boolean {
  const end = commentEnd(scan.text, scan.at);
  if (end === undefined) {
    return false;
  }
  scan.holes += countHoles(scan.text.slice(scan.at, end));
  scan.at = end;
  return true;
}

function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('--', at)) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2);
    return end === -1 ? text.length : end + 2;
  }
  return undefined;
}

/** Takes a literal: `'it''s'`, `E'a\'b'`, `N'x'`, `$$x$$`, `$tag$x$tag$`, and `"x"` where that is a string. */
export function scanString(scan: SqlScan): boolean {
  const char = scan.text[scan.at] ?? '';
  if (char === '\'' || (char === '"' && scan.doubleQuoteIsString)) {
    return takeQuoted(scan, char, char, 'string', false);
  }
  if (/[ENBX]/iu.test(char) && scan.text[scan.at + 1] === '\'') {
    scan.at += 1;
    return takeQuoted(scan, '\'', '\'', 'string', char.toLowerCase() === 'e') || undo(scan);
  }
  return char === '$' && takeDollarQuoted(scan);
}

function undo(scan: SqlScan): boolean {
  scan.at -= 1;
  return false;
}

/** Takes a quoted name: `"x"`, `` `x` ``, `[x]`. A bracket right behind a name or a bracket is a subscript and stays an operator. */
export function scanQuoted(scan: SqlScan): boolean {
  const char = scan.text[scan.at] ?? '';
  if (char === '"' || char === '`') {
    return takeQuoted(scan, char, char, 'quoted', false);
  }
  if (char !== '[' || /[\w\])"'?]/u.test(scan.text[scan.at - 1] ?? '')) {
    return false;
  }
  BRACKETED.lastIndex = scan.at;
  return BRACKETED.test(scan.text) && takeQuoted(scan, '[', ']', 'quoted', false);
}

const BRACKETED = /\[[\p{L}_\0][^[\]\n]*\]/uy;

/** Takes `$2`, `$name`, `?`, `?2`, `??`, `:name`, `@name`, and those with a hole for a name (`$${n}`). */
export function scanParam(scan: SqlScan): boolean {
  PARAM.lastIndex = scan.at;
  const match = PARAM.exec(scan.text);
  if (match === null) {
    return false;
  }
  const [text] = match;
  const name = text.slice(1);
  const holes = countHoles(text);
  const index = paramIndex(scan, text, name);
  push(scan, {
    kind: 'param', text: paramName(text, showHoles(name, scan.holes)), word: '', start: scan.at, end: scan.at + text.length,
    holes: holes === 0 ? [] : [scan.holes], holesBefore: scan.holes, ...(index === undefined ? {} : { index }),
  });
  scan.holes += holes;
  return true;
}

const PARAM = /\$(?:\d+|\0|[\p{L}_]\w*)|\?(?:\?|\d+|(?![|&]))|:(?:\0|[\p{L}_]\w*)|@(?:\0|[\p{L}_]\w*)/uy;

function paramIndex(scan: SqlScan, text: string, name: string): number | undefined {
  if (/^\d+$/u.test(name)) {
    return Number(name) - 1;
  }
  return text === '?' || text === '??' ? scan.params++ : undefined;
}

function paramName(text: string, name: string): string {
  return text.startsWith('?') || /^\$\d/u.test(text) ? text : name;
}

/** Takes an unsigned number. */
export function scanNumber(scan: SqlScan): boolean {
  NUMBER.lastIndex = scan.at;
  const text = NUMBER.exec(scan.text)?.[0];
  if (text === undefined) {
    return false;
  }
  push(scan, { kind: 'number', text, word: '', start: scan.at, end: scan.at + text.length, holes: [], holesBefore: scan.holes });
  return true;
}

const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?/iuy;

function takeQuoted(scan: SqlScan, open: string, close: string, kind: 'string' | 'quoted', backslash: boolean): boolean {
  const start = scan.at;
  const end = scan.failures > MAX_FAILURES ? -1 : closingQuote(scan.text, start + open.length, close, backslash);
  if (end === -1) {
    scan.failures += 1;
    return false;
  }
  pushContent(scan, kind, start + open.length, end, end + close.length, (content) => content.replaceAll(close + close, close));
  return true;
}

function closingQuote(text: string, from: number, close: string, backslash: boolean): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (backslash && char === '\\') {
      at += 1;
    } else if (char === close) {
      if (text[at + 1] !== close || close === ']') {
        return at;
      }
      at += 1;
    }
  }
  return -1;
}

const DOLLAR_TAG = /\$(?:[\p{L}_]\w*)?\$/uy;

function takeDollarQuoted(scan: SqlScan): boolean {
  DOLLAR_TAG.lastIndex = scan.at;
  const tag = DOLLAR_TAG.exec(scan.text)?.[0];
  if (tag === undefined || scan.failures > MAX_FAILURES) {
    return false;
  }
  const end = scan.text.indexOf(tag, scan.at + tag.length);
  if (end === -1) {
    scan.failures += 1;
    return false;
  }
  pushContent(scan, 'string', scan.at + tag.length, end, end + tag.length, (content) => content);
  return true;
}

function pushContent(scan: SqlScan, kind: 'string' | 'quoted', from: number, to: number, end: number, unescape: (content: string) => string): void {
  const content = scan.text.slice(from, to);
  const count = content.includes(SQL_HOLE) ? countHoles(content) : 0;
  const first = scan.holes;
  push(scan, {
    kind, text: showHoles(unescape(content), first), word: '', start: scan.at, end, holes: Array.from({ length: count }, (_, offset) => first + offset),
    holesBefore: first,
  });
  scan.holes += count;
}

function push(scan: SqlScan, token: SqlToken): void {
  scan.tokens.push(token);
  scan.at = token.end;
}
