import type { Review } from '../review/types.js';
import { CLOSURE_RULE, closureConditions } from './closure.js';
import { paragraph, table } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { prose } from './html-text.js';

/** What must hold before the review may be closed. */
export function htmlClosure(review: Review): PageSection {
  return {
    id: 'closure',
    title: 'Closure rule',
    content: paragraph(prose(CLOSURE_RULE)) + table('What must hold', ['Must hold', 'Now'], closureConditions(review).map(({ condition, open }) => [
      prose(condition), open === '' ? '<span class="status s-verified">holds</span>' : `<span class="status s-violated">open</span> ${prose(open)}`,
    ])),
  };
}
