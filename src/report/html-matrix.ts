import type { Review, RowStatus } from '../review/types.js';
import { details, paragraph } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { attribute, code, escape } from './html-text.js';
import { protocolMatrix, SIGNS, SIGNS_LEGEND, type MatrixGroup } from './protocol-matrix.js';
import { count } from './review-words.js';

const MOST_ROWS = 1000;

/** Sites by rules. A violated cell that became a finding leads to it. */
export function htmlMatrix(review: Review): PageSection | undefined {
  const groups = protocolMatrix(review, MOST_ROWS);
  if (groups.length === 0) return undefined;
  const ids = new Map(review.findings.map(({ site, rule, id }) => [`${site}\0${rule}`, id]));
  return {
    id: 'matrix',
    title: 'Protocol matrix',
    content: paragraph(`Every judged place against every rule that judges its kind: ${SIGNS_LEGEND}.`)
      + groups.map((group) => details(`${group.title}: ${count(group.rows.length + group.leftOff, 'place')}, ${count(group.rules.length, 'rule')}`, matrixTable(group, ids))).join(''),
  };
}

function matrixTable({ title, rules, rows, leftOff }: MatrixGroup, ids: ReadonlyMap<string, string>): string {
  const cell = (status: RowStatus, id: string | undefined): string => (
    `<td class="s-${status}" title="${status}">${id === undefined ? SIGNS[status] : `<a href="#${attribute(id)}">${SIGNS[status]}</a>`}</td>`
  );
  const body = rows.map(({ site, cells }) => (
    `<tr><th scope="row">${code(site.id)} ${escape(site.name)}</th>${cells.map((status, at) => cell(status, ids.get(`${site.id}\0${rules[at] ?? ''}`))).join('')}</tr>`
  ));
  return `<div class="scroll" role="region" tabindex="0" aria-label="${attribute(title)}"><table class="matrix"><thead><tr><th scope="col">Place</th>`
    + `${rules.map((rule) => `<th scope="col"><span>${escape(rule)}</span></th>`).join('')}</tr></thead>\n<tbody>${body.join('\n')}</tbody></table></div>\n`
    + (leftOff === 0 ? '' : paragraph(`${count(leftOff, 'more place')} with less to answer for: see the json report.`));
}
