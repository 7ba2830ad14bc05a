/** A place in a text; lines and columns start at 1, columns count UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** The lines of a text without their ends, split where the analysis splits them. */
export function textLines(text: string): string[] {
  return text.split(LINE_END);
}

/** The place of an offset (UTF-16 units) in a text; past the end it is the end. */
export function positionAt(text: string, offset: number): TextPosition {
  let line = 1;
  let start = 0;
  for (const end of text.matchAll(LINE_END)) {
    const next = end.index + end[0].length;
    if (next > offset) break;
    line++;
    start = next;
  }
  return { line, column: Math.min(offset, text.length) - start + 1 };
}

/** A column counted in UTF-8 bytes, as reviewdog counts; `undefined` where the line is not there. */
export function byteColumn(lines: readonly string[], { line, column }: TextPosition): number | undefined {
  const text = lines[line - 1];
  return text === undefined ? undefined : new TextEncoder().encode(text.slice(0, column - 1)).length + 1;
}
