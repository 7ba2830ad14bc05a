import type { Review } from '../review/types.js';
import { code, prose, table } from './markdown-text.js';

/** What the change did to the protocol, and what it mended. Nothing in an audit. */
export function markdownChange({ change }: Review): string[] {
  if (change === undefined) return [];
  return [
    '## What the change did',
    '',
    ...(change.protocol.length + change.fixed.length === 0 ? ['The protocol did not move, and nothing was mended.', ''] : []),
    ...table(['Protocol of', 'Moved', 'Effect', 'Where'], change.protocol.map(({ subject, what, effect, file, line }) => [
      code(subject), prose(what), effect === 'weaker' ? '**weaker**' : effect, code(`${file}:${line}`),
    ])),
    ...(change.fixed.length === 0 ? [] : ['Mended, places as they were in the base:', '']),
    ...change.fixed.map(({ rule, file, line, message }) => `- ${code(rule)} at ${code(`${file}:${line}`)}: ${prose(message)}`),
    ...(change.fixed.length === 0 ? [] : ['']),
  ];
}
