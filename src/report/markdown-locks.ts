import type { Review, ReviewLock } from '../review/types.js';
import { details } from './markdown-details.js';
import { code, prose, table } from './markdown-text.js';
import { lockFindings, lockSheet } from './lock-sheet.js';
import { count, shortened } from './review-words.js';
import { glance, UNKNOWN } from './sheet-words.js';

const MOST_SHEETS = 100;

/** All locks at a glance, then a sheet for each with the skill's ten parameters. */
export function markdownLocks(review: Review): string[] {
  const { shown, more } = shortened(review.locks, MOST_SHEETS);
  return [
    '## Locks',
    '',
    ...(review.locks.length === 0 ? ['No lock was seen.', ''] : []),
    ...table(['Lock', 'Where', 'Key', 'Owner', 'TTL', 'Protects', 'Findings'], shown.map((lock) => [
      lock.id, code(`${lock.file}:${lock.line}`), code(glance(lock.keyTemplate)), word(lock.owner), word(lock.ttl), protectedNames(lock, review), lockFindings(lock, review).map(({ id }) => id).join(', '),
    ])),
    ...shown.flatMap((lock) => sheet(lock, review)),
    ...(more === 0 ? [] : [`${count(more, 'more lock')} in the json report.`, '']),
  ];
}

function sheet(lock: ReviewLock, review: Review): string[] {
  const rows = lockSheet(lock, review).map(({ name, entries }) => [name, entries.map(prose).join('<br>')]);
  return details(`${lock.id} ${lock.keyTemplate} at ${lock.file}:${lock.line}: the ten parameters`, table(['Parameter', 'What is seen'], rows));
}

function word(text: string): string {
  return text === UNKNOWN || text === 'none' ? text : code(glance(text));
}

function protectedNames({ protects }: ReviewLock, { targets }: Review): string {
  return protects.length === 0 ? 'nothing known' : protects.map((id) => code(targets.find((target) => target.id === id)?.name ?? id)).join(', ');
}
