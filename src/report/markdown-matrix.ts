import type { Review } from '../review/types.js';
import { details } from './markdown-details.js';
import { code, prose, table } from './markdown-text.js';
import { protocolMatrix, SIGNS, SIGNS_LEGEND } from './protocol-matrix.js';
import { count } from './review-words.js';

const MOST_ROWS = 200;

/** Sites by rules, folded: it proves that a place was judged, and is read when one asks for it. */
export function markdownMatrix(review: Review): string[] {
  const groups = protocolMatrix(review, MOST_ROWS);
  if (groups.length === 0) return [];
  return [
    '## Protocol matrix',
    '',
    `Every judged place against every rule that judges its kind: ${SIGNS_LEGEND}.`,
    '',
    ...groups.flatMap(({ title, rules, rows, leftOff }) => details(`${title}: ${count(rows.length + leftOff, 'place')}, ${count(rules.length, 'rule')}`, [
      ...table(['Place', 'In', ...rules.map(code)], rows.map(({ site, cells }) => [code(site.id), code(site.name), ...cells.map((status) => SIGNS[status])])),
      ...(leftOff === 0 ? [] : [prose(`${count(leftOff, 'more place')} with less to answer for: see the json report.`), '']),
    ])),
  ];
}
