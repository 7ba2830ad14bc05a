import type { Review } from '../review/types.js';
import { markdownBoundaries } from './markdown-boundaries.js';
import { markdownChange } from './markdown-change.js';
import { markdownClosure } from './markdown-closure.js';
import { markdownExceptions } from './markdown-exceptions.js';
import { markdownFindings } from './markdown-finding.js';
import { markdownLocks } from './markdown-locks.js';
import { markdownMatrix } from './markdown-matrix.js';
import { markdownQuestions } from './markdown-questions.js';
import { markdownRows } from './markdown-rows.js';
import { markdownStart } from './markdown-start.js';
import { markdownTargets } from './markdown-targets.js';

/** The review as a document to hand over: the verdict and what to do first, then what was found, what is proven, and what nobody has looked at. */
export function markdown(review: Review): string {
  const lines = [
    ...markdownStart(review),
    ...markdownChange(review),
    ...markdownFindings(review),
    ...markdownTargets(review),
    ...markdownLocks(review),
    ...markdownQuestions(review),
    ...markdownMatrix(review),
    ...markdownRows(review),
    ...markdownExceptions(review),
    ...markdownBoundaries(review),
    ...markdownClosure(review),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
