import { highlight } from '@babel/code-frame';
import { wellFormed } from './unseen.js';

/** A piece of a line, and what kind of token it is of; undefined for what is shown plainly. */
export interface ColouredText { readonly text: string; readonly kind: TokenKind | undefined }

export type TokenKind = 'keyword' | 'string' | 'number' | 'comment';

/** The terminal's codes for the colours that the highlighter gives to tokens. Punctuation and names stay plain here. */
const KINDS: Readonly<Record<string, TokenKind>> = { 36: 'keyword', 32: 'string', 35: 'number', 90: 'comment' };
/** In characters. Larger files are data, and would hold up the report. */
const LARGEST_TEXT = 300_000;

/**
 * The lines of a source by kinds of tokens; `undefined` where it is too large. What the pieces of a line hold together is the line itself, but
 * for control characters.
 */
export function colouredLines(lines: readonly string[]): readonly (readonly ColouredText[])[] | undefined {
  // Without control characters, the only ones in the answer are those of the highlighter.
  const plain = lines.map((line) => wellFormed(line));
  if (plain.reduce((sum, { length }) => sum + length + 1, 0) > LARGEST_TEXT) return undefined;
  const coloured = highlight(plain.join('\n')).split('\n').map(piecesOf);
  const whole = coloured.length === plain.length && coloured.every((pieces, at) => pieces.map(({ text }) => text).join('') === plain[at]);
  return whole ? coloured : undefined;
}

function piecesOf(line: string): ColouredText[] {
  let kind: TokenKind | undefined;
  return line.split(ESCAPE).flatMap((part, at) => {
    // Of a split by a pattern with a group every second part is what the group took.
    if (at % 2 === 1) {
      kind = KINDS[part];
      return [];
    }
    return part === '' ? [] : [{ text: part, kind }];
  });
}

// The very character that control sequences begin with.
 
const ESCAPE = /\u001b\[(\d+)m/;
