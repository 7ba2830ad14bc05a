import type { Review } from '../review/types.js';
import { CLOSURE_RULE, closureConditions } from './closure.js';
import { prose, table } from './markdown-text.js';

/** What must hold before the review may be closed. */
export function markdownClosure(review: Review): string[] {
  return [
    '## Closure rule',
    '',
    prose(CLOSURE_RULE),
    '',
    ...table(['Must hold', 'Now'], closureConditions(review).map(({ condition, open }) => [prose(condition), open === '' ? 'holds' : `open: ${prose(open)}`])),
  ];
}
