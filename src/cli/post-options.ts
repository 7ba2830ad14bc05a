import { InvalidArgumentError, Option } from 'commander';
import { REPORTERS, type Reporter } from '../post/reporters.js';
import type { Format } from '../report/formats.js';

/** Formats that a user may know as reporters: `--reporter sarif` is `--format sarif`. */
const FILE_REPORTERS = ['sarif', 'gitlab', 'rdjson'] as const satisfies readonly Format[];

/** The flags of posting as commander hands them over. */
export interface PostFlags {
  readonly reporter?: Reporter | (typeof FILE_REPORTERS)[number];
  readonly repository?: string;
  readonly pullRequest?: number;
  readonly headSha?: string;
}

/** The flags of posting, for every command that makes a review. */
export function postOptions(): Option[] {
  return [
    new Option('--reporter <reporter>', 'post the review beside printing it, or print it in the format of that name').choices([...REPORTERS, ...FILE_REPORTERS]),
    new Option('--repository <owner/name>', 'where to post (default: GITHUB_REPOSITORY)'),
    new Option('--pull-request <number>', 'the pull request to post to (default: that of the event)').argParser(wholeNumber),
    new Option('--head-sha <sha>', 'the commit to write on (default: the head of the pull request, or GITHUB_SHA)'),
  ];
}

/** The reporter that talks to a code host, if one is asked for. */
export function hostReporter({ reporter }: PostFlags): Reporter | undefined {
  return REPORTERS.find((one) => one === reporter);
}

/** The format to print: that of a reporter which is a format, else the given one. */
export function printedFormat<F extends string>({ reporter, format }: PostFlags & { readonly format: F }): F | (typeof FILE_REPORTERS)[number] {
  return FILE_REPORTERS.find((one) => one === reporter) ?? format;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It is a number such as 7.');
  return number;
}
