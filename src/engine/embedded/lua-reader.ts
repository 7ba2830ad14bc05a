import type { LuaToken } from './lua-token.js';

/** Where the parser stands. A piece that does not fit sets `broken`, which ends the reading: half-read scripts are not judged. */
export interface LuaReader {
  readonly text: string;
  readonly tokens: readonly LuaToken[];
  at: number;
  depth: number;
  broken: boolean;
}

/** Nesting beyond this is no lock script. */
export const LUA_MAX_DEPTH = 60;

/** The token under the reader, or a symbol with empty text at the end. */
export function peek(reader: LuaReader, ahead = 0): LuaToken {
  return reader.tokens[reader.at + ahead] ?? { kind: 'symbol', text: '', start: reader.text.length, end: reader.text.length };
}

/** Whether the next token is this symbol or keyword. */
export function isNext(reader: LuaReader, text: string): boolean {
  const token = peek(reader);
  return token.text === text && (token.kind === 'symbol' || token.kind === 'keyword');
}

/** Takes the symbol or keyword when it is next. */
export function accept(reader: LuaReader, text: string): boolean {
  const found = isNext(reader, text);
  reader.at += found ? 1 : 0;
  return found;
}

/** Takes the symbol or keyword, else marks the script as broken. */
export function expect(reader: LuaReader, text: string): void {
  if (!accept(reader, text)) {
    reader.broken = true;
  }
}

/** Takes a name, else marks the script as broken. */
export function takeName(reader: LuaReader): string {
  const token = peek(reader);
  if (token.kind !== 'name') {
    reader.broken = true;
    return '';
  }
  reader.at += 1;
  return token.text;
}

/** Source text from an offset up to the last token taken. */
export function textFrom(reader: LuaReader, start: number): string {
  return reader.text.slice(start, reader.tokens[reader.at - 1]?.end ?? start);
}
