import { REPORTERS, type Reporter } from '../post/reporters.js';
import type { FormatName } from './format-files.js';

/** Formats that a user may know as reporters: `--reporter sarif` is `--format sarif`. */
export const FILE_REPORTERS = ['sarif', 'gitlab', 'rdjson'] as const satisfies readonly FormatName[];

/** The flags of posting as commander hands them over. */
export interface PostFlags {
  readonly reporter?: Reporter | (typeof FILE_REPORTERS)[number];
  readonly repository?: string;
  readonly pullRequest?: number;
  readonly headSha?: string;
}

/** The reporter that talks to a code host, if one is asked for. */
export function hostReporter({ reporter }: PostFlags): Reporter | undefined {
  return REPORTERS.find((one) => one === reporter);
}

/** The formats to print: that of a reporter which is a format, else the given ones, else text. */
export function printedFormats({ reporter, format = ['text'] }: PostFlags & { readonly format?: readonly FormatName[] }): readonly FormatName[] {
  const own = FILE_REPORTERS.find((one) => one === reporter);
  return own === undefined ? format : [own];
}
