import type { Review, ReviewTarget, ReviewWriter } from '../review/types.js';
import { GUARD_LEGEND } from './guard-words.js';
import { code, prose, table } from './markdown-text.js';
import { count } from './review-words.js';

/** State targets: who writes each, and which writers can overlap. */
export function markdownTargets({ targets }: Review): string[] {
  return ['## State targets and who writes them', '', ...(targets.length === 0 ? ['No state target was seen.', ''] : [GUARD_LEGEND, '', ...targets.flatMap(oneTarget)])];
}

function oneTarget(target: ReviewTarget): string[] {
  const { conflicts } = target;
  return [
    `### ${target.id} ${code(target.name)}`,
    '',
    `- States: ${target.states.length === 0 ? 'unknown' : target.states.map(code).join(', ')}`,
    `- Transitions: ${target.transitions.length === 0 ? 'unknown' : target.transitions.map(code).join(', ')}`,
    `- Writers that can overlap: ${conflicts.length === 0 ? 'none known' : count(conflicts.length, 'pair')}`,
    '',
    ...table(['Writer', 'Entered by', 'From', 'To', 'Guard', 'Lock'], target.writers.map((writer) => [
      code(writer.site), prose(writer.actor), code(writer.from), code(writer.to), prose(writer.guard), writer.lock.startsWith('none') ? prose(writer.lock) : code(writer.lock),
    ])),
    ...table(['Can overlap', 'Entered by', 'With', 'Entered by'], conflicts.map(([a, b]) => (
      a === b ? [code(a), actorAt(target.writers, a), 'itself, entered twice', ''] : [code(a), actorAt(target.writers, a), code(b), actorAt(target.writers, b)]
    ))),
  ];
}

function actorAt(writers: readonly ReviewWriter[], site: string): string {
  return prose(writers.find((w) => w.site === site)?.actor ?? 'unknown');
}
