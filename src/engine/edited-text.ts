/** Replaces `[start, end)` of a text, offsets from 0, by another. */
export interface Edit { readonly start: number; readonly end: number; readonly text: string }

/**
 * A text with edits made, each told by its place in the text as it was.
 * @returns undefined for edits that overlap or lie outside of the text.
 */
export function edited(text: string, edits: readonly Edit[]): string | undefined {
  const order = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let at = 0;
  for (const { start, end, text: put } of order) {
    if (start < at || end < start || end > text.length) return undefined;
    result += text.slice(at, start) + put;
    at = end;
  }
  return result + text.slice(at);
}
