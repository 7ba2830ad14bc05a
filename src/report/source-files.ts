import type { ReportOptions } from './formats.js';
import { colouredLines } from './source-colours.js';

/** The sources that a page shows: a file of many findings is read, split and coloured once. */
export interface SourceFiles {
  /** `undefined` when the file cannot be read. */
  lines(file: string): readonly string[] | undefined;
  /** `undefined` when it cannot be read, or is too large for colours. */
  colours(file: string): ReturnType<typeof colouredLines>;
}

export function sourceFiles(source: ReportOptions['source']): SourceFiles {
  const lines = once((file) => source(file)?.split(/\r\n|[\n\r\u2028\u2029]/));
  return {
    lines,
    colours: once((file) => {
      const all = lines(file);
      return all === undefined ? undefined : colouredLines(all);
    }),
  };
}

function once<T>(make: (file: string) => T): (file: string) => T {
  const made = new Map<string, { readonly value: T }>();
  return (file) => {
    const before = made.get(file);
    if (before !== undefined) return before.value;
    const value = make(file);
    made.set(file, { value });
    return value;
  };
}
