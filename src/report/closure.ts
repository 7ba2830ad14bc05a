import type { Review, RowStatus } from '../review/types.js';
import { isAccepted } from './open-findings.js';

/** What must hold before the review may be closed, and what keeps it open now; prose with code in backticks. */
export interface ClosureCondition {
  readonly condition: string;
  /** Empty: it holds. */
  readonly open: string;
}

export const CLOSURE_RULE = 'This review may be closed when every line below holds. A row that stays open needs an exception with an owner, a reason and a date on '
  + 'which it ends. Nothing is closed on a label, a comment or a merged change: only a later run that judges the same place and no longer finds the fault closes a finding.';

/** The closure rule, line by line. */
export function closureConditions(review: Review): ClosureCondition[] {
  const open = review.findings.filter((finding) => !isAccepted(finding));
  const loose = review.exceptions.filter(({ status }) => status === 'incomplete' || status === 'expired');
  return [
    { condition: 'No finding is open', open: list(open.map(({ id }) => id)) },
    { condition: 'No row of the skill, of the dimensions or of the verification cases is violated', open: list(rowsOf(review, 'violated')) },
    { condition: 'No such row is unknown: what nobody has looked at is not shown to be right', open: list(rowsOf(review, 'unknown')) },
    { condition: 'What the baseline accepted is mended or has an exception', open: list(review.findings.filter(({ baseline, exception }) => baseline === true && exception === undefined).map(({ id }) => id)) },
    { condition: 'Every exception has an owner, a reason and a date, and none has expired', open: list(loose.map(({ id, status }) => `${id} (${status})`)) },
    { condition: 'Every part of the code was judged to the end', open: review.errors.length === 0 ? '' : `${review.errors.length} not judged to the end` },
  ];
}

/** The ids of all rows of a status, in the order of the tables. */
export function rowsOf({ skill, dimensions, verification }: Review, wanted: RowStatus): string[] {
  return [...skill, ...dimensions, ...verification].filter(({ status }) => status === wanted).map(({ id }) => id);
}

const MOST = 20;

function list(ids: readonly string[]): string {
  return ids.slice(0, MOST).join(', ') + (ids.length > MOST ? ` and ${ids.length - MOST} more` : '');
}
