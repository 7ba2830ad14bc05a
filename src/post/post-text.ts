import { code as inlineCode } from '../report/markdown-text.js';

/** Longest text taken from a review in one piece: messages are short, names from source need not be. */
const LONGEST = 600;

/** A sentence as GitHub Markdown that shows what it says: no mention, no link, no HTML, no formatting but code in backticks. */
export function words(sentence: string): string {
  return visible(sentence).split(/(`[^`]+`)/).map((part, at) => (at % 2 === 1 ? inlineCode(part.slice(1, -1)) : inert(part))).join('');
}

/** Text as inline code. */
export function code(text: string): string {
  return inlineCode(visible(text));
}

/** Neither a backslash nor an entity keeps GitHub from linking: it looks at the rendered text. A space of no width does. */
const NO_WIDTH = '&#8203;';

/** In one pass: what is put in must not be escaped again. */
function inert(text: string): string {
  return text.replace(/[\\`*_~[\]<>|]|\$|@(?=\w)|#(?=\d)|\bGH-(?=\d)|:\/\/|\bwww\./gi, (found) => {
    switch (found) {
      case '$':
        return '&#36;';
      case '@':
        return `@${NO_WIDTH}`;
      case '#':
        return `\\#${NO_WIDTH}`;
      case '://':
        return `:${NO_WIDTH}//`;
      default:
        return found.length === 1 ? `\\${found}` : `${found.slice(0, -1)}${NO_WIDTH}${found.slice(-1)}`;
    }
  });
}

/** One line, cut, with characters that steer a reader's eye or terminal written out. */
function visible(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const short = flat.length <= LONGEST ? flat : `${flat.slice(0, LONGEST)} [...]`;
  return short.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
