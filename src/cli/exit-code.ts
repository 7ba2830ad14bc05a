import { isOpen, needsAttention } from '../review/open-findings.js';
import type { Review } from '../review/types.js';

/** The severity from which findings fail the run. */
export type FailOn = 'error' | 'warning' | 'never';

/** 0: below the bar. 1: findings at or above it. 2: the tool could not do its job. */
export type ExitCode = 0 | 1 | 2;

export interface Bar {
  readonly failOn: FailOn;
  /** So many warnings are let pass; undefined: any number, unless `failOn` says otherwise. */
  readonly maxWarnings?: number;
  /** Having judged nothing is a failure of the run: a moved folder or a wrong glob must not pass for a clean code base. */
  readonly requireJudged: boolean;
}

/** What counts towards the exit code. */
export interface Counted { readonly errors: number; readonly warnings: number }

/**
 * The findings that nobody has accepted, by severity. An exception that is expired, unused or incomplete counts as a warning: it says that somebody answers for
 * something, and nobody does. In the review of a change only what is new counts.
 */
export function counted({ findings, exceptions }: Pick<Review, 'findings' | 'exceptions'>): Counted {
  const open = findings.filter((finding) => isOpen(finding) && finding.change !== 'old');
  const errors = open.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: open.length - errors + exceptions.filter(needsAttention).length };
}

/** What the exit code is told from, as numbers: kept beside a report. */
export interface Earnings extends Counted {
  readonly verdict: Review['verdict'];
}

/** The numbers of a review. */
export function earnings(review: Pick<Review, 'verdict' | 'findings' | 'exceptions'>): Earnings {
  return { verdict: review.verdict, ...counted(review) };
}

/** The exit code a review earns. */
export function exitCode(review: Pick<Review, 'verdict' | 'findings' | 'exceptions'>, bar: Bar): ExitCode {
  return codeOf(earnings(review), bar);
}

/** The exit code of a bar. `never` lets all findings pass, and `maxWarnings` all the same fails for too many. */
export function codeOf({ verdict, errors, warnings }: Earnings, bar: Bar): ExitCode {
  if (bar.requireJudged && verdict === 'nothing-seen') return 2;
  if (bar.maxWarnings !== undefined && warnings > bar.maxWarnings) return 1;
  if (bar.failOn === 'never') return 0;
  return errors > 0 || (bar.failOn === 'warning' && warnings > 0) ? 1 : 0;
}
