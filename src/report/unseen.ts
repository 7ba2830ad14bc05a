/**
 * Characters that change how their neighbours are shown, or show nothing: direction marks, joiners, zero-width spaces. Source that is
 * shown to a reviewer must not look like other source.
 */
export const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

// Line feeds and tabs are layout; all other control characters, and halves of characters, are shown as one sign.
const NOT_TEXT = /[^\P{Cc}\n\t]|\p{Surrogate}/gu;

/** The name of a character that is not seen: `[U+202E]`. */
export function nameOf(sign: string): string {
  return `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Text without control characters and halves of characters. */
export function wellFormed(text: string): string {
  return text.replace(NOT_TEXT, '\uFFFD');
}

/** Text in which every character can be seen. */
export function visible(text: string): string {
  return wellFormed(text).replace(UNSEEN, nameOf);
}
