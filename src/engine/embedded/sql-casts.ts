import type { SqlToken } from './sql-token.js';

/** The tokens without `::type` casts, which never change what a guard compares. */
export function dropCasts(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const kept: SqlToken[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) {
      break;
    }
    if (token.kind === 'op' && token.text === '::') {
      at = typeEnd(tokens, at + 1);
    } else {
      kept.push(token);
      at += 1;
    }
  }
  return kept;
}

/** Second words of types of two words. */
const SECOND_WORDS: Readonly<Record<string, string>> = { double: 'precision', character: 'varying', bit: 'varying' };

function typeEnd(tokens: readonly SqlToken[], from: number): number {
  let at = from + 1;
  while (tokens[at]?.kind === 'dot') {
    at += 2;
  }
  const second = SECOND_WORDS[tokens[from]?.word ?? ''];
  if (second !== undefined && tokens[at]?.word === second) {
    at += 1;
  }
  if (tokens[at]?.kind === 'open') {
    at = pastLengths(tokens, at);
  }
  if (['with', 'without'].includes(tokens[at]?.word ?? '') && tokens[at + 1]?.word === 'time') {
    at += 3;
  }
  while (tokens[at]?.text === '[' && tokens[at]?.kind === 'op' && tokens[at + 1]?.text === ']') {
    at += 2;
  }
  return at;
}

/** `(10)` and `(12, 2)` behind a type name; any other bracket is not part of the type. */
function pastLengths(tokens: readonly SqlToken[], open: number): number {
  let at = open + 1;
  while (tokens[at]?.kind === 'number' || tokens[at]?.kind === 'comma') {
    at += 1;
  }
  return at > open + 1 && tokens[at]?.kind === 'close' ? at + 1 : open;
}
