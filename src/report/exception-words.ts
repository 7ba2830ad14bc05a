import { needsAttention } from '../review/open-findings.js';
import type { Finding, Review, ReviewException } from '../review/types.js';
import { count, shortened } from './review-words.js';

const MOST_ACCEPTED = 20;

/** An accepted finding with the exception that accepts it. */
export interface AcceptedFinding { readonly finding: Finding; readonly exception: ReviewException }

export function acceptedOf({ findings, exceptions }: Review): AcceptedFinding[] {
  return findings.flatMap((finding) => {
    const exception = exceptions.find(({ id }) => id === finding.exception);
    return exception === undefined ? [] : [{ finding, exception }];
  });
}

/** The findings that the baseline holds and no exception accepts. */
export function inBaseline({ findings }: Review): Finding[] {
  return findings.filter(({ exception, baseline }) => exception === undefined && baseline === true);
}

/** What is accepted, for a terminal: one line a finding; those of the baseline counted. */
export function acceptedLines(review: Review): string[] {
  const accepted = acceptedOf(review);
  const old = inBaseline(review).length;
  const { shown, more } = shortened(accepted, MOST_ACCEPTED);
  return [
    ...shown.map(({ finding: { rule, file, line }, exception }) => `${file}:${line} ${rule} by ${exception.owner ?? ''} until ${exception.expires ?? ''}: ${exception.reason ?? ''}`),
    ...(more === 0 ? [] : [`and ${count(more, 'more finding')} in the json and markdown reports`]),
    ...(old === 0 ? [] : [`${count(old, 'finding')} in the baseline, from before step-lock was adopted`]),
  ];
}

/** The exceptions that somebody has to look at, worst first, then those that end soon. */
export function attentionOf({ exceptions }: Pick<Review, 'exceptions'>): ReviewException[] {
  return [...exceptions.filter(needsAttention), ...exceptions.filter(({ status }) => status === 'expiring')];
}

export function attentionLines(review: Review): string[] {
  const all = attentionOf(review);
  if (all.length === 0) return [];
  return [
    `${count(all.length, 'exception that needs', 'exceptions that need')} attention:`,
    ...all.map((exception) => `${exception.status.padEnd(10)} ${exception.file}:${exception.line} ${exception.rule === '' ? '(no rule)' : exception.rule}${exception.owner === undefined ? '' : ` by ${exception.owner}`}: ${exception.problem ?? ''}`),
  ];
}
