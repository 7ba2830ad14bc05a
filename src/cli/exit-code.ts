import type { Review } from '../review/types.js';

/** The severity from which findings fail the run. */
export type FailOn = 'error' | 'warning' | 'never';

/** 0: below the bar. 1: findings at or above it. 2: the tool could not do its job. */
export type ExitCode = 0 | 1 | 2;

export interface Bar {
  readonly failOn: FailOn;
  /** Having judged nothing is a failure of the run: a moved folder or a wrong glob must not pass for a clean code base. */
  readonly requireJudged: boolean;
}

/** The exit code a review earns. In the review of a change only what is new counts. */
export function exitCode(review: Pick<Review, 'verdict' | 'findings'>, bar: Bar): ExitCode {
  if (bar.requireJudged && review.verdict === 'nothing-seen') return 2;
  if (bar.failOn === 'never') return 0;
  return review.findings.some(({ severity, change }) => change !== 'old' && (severity === 'error' || bar.failOn === 'warning')) ? 1 : 0;
}
