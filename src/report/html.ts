import type { Review } from '../review/types.js';
import type { ReportOptions } from './formats.js';
import { htmlBoundaries } from './html-boundaries.js';
import { htmlChange } from './html-change.js';
import { htmlClosure } from './html-closure.js';
import { htmlFindings, shownFindings } from './html-findings.js';
import { htmlLocks } from './html-locks.js';
import { htmlMatrix } from './html-matrix.js';
import { htmlPage, type PageSection } from './html-page.js';
import { htmlQuestions } from './html-questions.js';
import { htmlExceptions, htmlRows } from './html-rows.js';
import { htmlStart } from './html-start.js';
import { htmlTargets } from './html-targets.js';
import { issueText } from './issue-text.js';

/**
 * The review as one file for a browser: no network, no script but its own, readable without it. The sections are those of the Markdown
 * report, with the source of every path beside it.
 */
export function html(review: Review, options: ReportOptions): string {
  const sections: readonly (PageSection | undefined)[] = [
    htmlStart(review),
    htmlChange(review),
    htmlFindings(review, options),
    htmlTargets(review),
    htmlLocks(review),
    htmlQuestions(review),
    htmlMatrix(review),
    htmlRows(review),
    htmlExceptions(review),
    htmlBoundaries(review),
    htmlClosure(review),
  ];
  const issues = Object.fromEntries(shownFindings(review).map((finding) => [finding.id, issueText(finding, review)]));
  return htmlPage(review, sections.filter((section) => section !== undefined), { issues });
}
