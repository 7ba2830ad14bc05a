import type { Review, ReviewTarget } from '../review/types.js';
import { GUARD_LEGEND } from './guard-words.js';
import { details, list, paragraph, table } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { code, escape, prose } from './html-text.js';
import { count, shortened } from './review-words.js';

const MOST_PAIRS = 200;

/** State targets: who writes each, and which writers can overlap. */
export function htmlTargets({ targets }: Review): PageSection {
  return {
    id: 'targets',
    title: 'State and who writes it',
    aside: String(targets.length),
    content: targets.length === 0 ? paragraph('No state target was seen.') : paragraph(GUARD_LEGEND) + targets.map(oneTarget).join('\n'),
  };
}

function oneTarget({ id, name, states, transitions, writers, conflicts }: ReviewTarget): string {
  const { shown, more } = shortened(conflicts, MOST_PAIRS);
  const codes = (texts: readonly string[]): string => (texts.length === 0 ? 'unknown' : texts.map(code).join(', '));
  const actorAt = (site: string): string => prose(writers.find((writer) => writer.site === site)?.actor ?? 'unknown');
  const pairs = table(`Writers of ${name} that can overlap`, ['Can overlap', 'Entered by', 'With', 'Entered by'], shown.map(([a, b]) => (
    a === b ? [code(a), actorAt(a), 'itself, entered twice', ''] : [code(a), actorAt(a), code(b), actorAt(b)]
  )));
  return `<h3 id="${id}">${id} ${code(name)}</h3>\n`
    + list([`States: ${codes(states)}`, `Transitions: ${codes(transitions)}`])
    + table(`Writers of ${name}`, ['Writer', 'Entered by', 'From', 'To', 'Guard', 'Lock'], writers.map((writer) => [
      code(writer.site), prose(writer.actor), code(writer.from), code(writer.to), prose(writer.guard), writer.lock.startsWith('none') ? escape(writer.lock) : code(writer.lock),
    ]))
    + (conflicts.length === 0
      ? paragraph('Writers that can overlap: none known.')
      : details(`Writers that can overlap: ${count(conflicts.length, 'pair')}`, pairs + (more === 0 ? '' : paragraph(`${count(more, 'more pair')} in the json report.`)), conflicts.length <= 12));
}
