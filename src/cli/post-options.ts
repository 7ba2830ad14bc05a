import { InvalidArgumentError, Option } from 'commander';
import { REPORTERS } from '../post/reporters.js';
import { FILE_REPORTERS } from './post-flags.js';

/** The flags of posting, for every command that makes a review. */
export function postOptions(): Option[] {
  return [
    new Option('--reporter <reporter>', 'post the review beside printing it, or print it in the format of that name').choices([...REPORTERS, ...FILE_REPORTERS]),
    new Option('--repository <owner/name>', 'where to post (default: GITHUB_REPOSITORY)'),
    new Option('--pull-request <number>', 'the pull request to post to (default: that of the event)').argParser(wholeNumber),
    new Option('--head-sha <sha>', 'the commit to write on (default: the head of the pull request, or GITHUB_SHA)'),
  ];
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It is a number such as 7.');
  return number;
}
