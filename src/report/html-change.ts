import type { Review } from '../review/types.js';
import { list, paragraph, table } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { code, escape, prose } from './html-text.js';

/** What the change did to the protocol, and what it mended. Nothing in an audit. */
export function htmlChange({ change }: Review): PageSection | undefined {
  if (change === undefined) return undefined;
  const moved = table('Protocol changes', ['Protocol of', 'Moved', 'Effect', 'Where'], change.protocol.map(({ subject, what, effect, file, line }) => [
    code(subject), prose(what), `<span class="effect e-${effect}">${effect}</span>`, code(`${file}:${line}`),
  ]));
  const fixed = list(change.fixed.map(({ rule, file, line, message }) => `${code(rule)} at ${code(`${file}:${line}`)}: ${prose(message)}`));
  return {
    id: 'change',
    title: 'What the change did',
    aside: `${change.new} new, ${change.fixed.length} mended`,
    content: (moved + fixed === '' ? paragraph('The protocol did not move, and nothing was mended.') : moved) + (fixed === '' ? '' : `<h3>Mended</h3>\n${paragraph(escape('Places as they were in the base:'))}${fixed}`),
  };
}
