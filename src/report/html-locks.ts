import type { Review, ReviewLock } from '../review/types.js';
import { details, findingLink, list, paragraph, table } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { attribute, code, prose } from './html-text.js';
import { lockFindings, lockSheet } from './lock-sheet.js';
import { count, shortened } from './review-words.js';
import { glance, UNKNOWN } from './sheet-words.js';

const MOST_SHEETS = 300;

/** All locks at a glance, then a sheet for each with the skill's ten parameters. */
export function htmlLocks(review: Review): PageSection {
  const { shown, more } = shortened(review.locks, MOST_SHEETS);
  const overview = table('Locks at a glance', ['Lock', 'Where', 'Key', 'Owner', 'TTL', 'Protects', 'Findings'], shown.map((lock) => [
    `<a href="#${attribute(lock.id)}">${attribute(lock.id)}</a>`, code(`${lock.file}:${lock.line}`), code(glance(lock.keyTemplate)), word(lock.owner), word(lock.ttl),
    protectedNames(lock, review), lockFindings(lock, review).map(({ id }) => findingLink(id)).join(' '),
  ]), 'locks');
  return {
    id: 'locks',
    title: 'Locks',
    aside: String(review.locks.length),
    content: (review.locks.length === 0 ? paragraph('No lock was seen.') : overview + paragraph('A sheet for each, with the ten parameters of the skill:'))
      + shown.map((lock) => sheet(lock, review)).join('')
      + (more === 0 ? '' : paragraph(`${count(more, 'more lock')} in the json report.`)),
  };
}

function sheet(lock: ReviewLock, review: Review): string {
  const rows = lockSheet(lock, review).map(({ name, entries }) => [name, entries.length === 1 ? prose(entries[0] ?? '') : list(entries.map(prose))]);
  return `<div id="${attribute(lock.id)}">${details(`${attribute(lock.id)} ${code(lock.keyTemplate)} at ${code(`${lock.file}:${lock.line}`)}`, table(`Sheet of ${lock.id}`, ['Parameter', 'What is seen'], rows, 'sheet'))}</div>`;
}

function word(text: string): string {
  return text === UNKNOWN || text === 'none' ? text : code(glance(text));
}

function protectedNames({ protects }: ReviewLock, { targets }: Review): string {
  if (protects.length === 0) return 'nothing known';
  return protects.map((id) => `<a href="#${attribute(id)}">${code(targets.find((target) => target.id === id)?.name ?? id)}</a>`).join(', ');
}
