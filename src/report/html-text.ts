import { nameOf, UNSEEN, visible, wellFormed } from './unseen.js';

/** Text between tags: no markup, and what cannot be seen is made visible. */
export function escape(text: string): string {
  return escaped(text).replace(UNSEEN, (sign) => `<span class="unseen" title="a character that is not seen">${nameOf(sign)}</span>`);
}

/** Text within a quoted attribute or in the title of the page, where no markup is possible. */
export function attribute(text: string): string {
  return escaped(visible(text)).replaceAll('\n', ' ');
}

/** Prose: what stands in backticks is code, the rest is shown as it is written. */
export function prose(sentence: string): string {
  return sentence.split(/(`[^`]+`)/).map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : escape(part))).join('');
}

/** Text as inline code. A path may break behind its slashes, and nowhere else. */
export function code(text: string): string {
  return `<code>${escape(text).replace(/(?<!<)\/(?=\w)/g, '/<wbr>')}</code>`;
}

/** Data for a script element: JSON in which nothing can end the element or begin a comment, and nothing is hidden from who reads the file. */
export function jsonData(value: unknown): string {
  const named = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, named).replace(UNSEEN, named);
}

function escaped(text: string): string {
  return wellFormed(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\'', '&#39;');
}
