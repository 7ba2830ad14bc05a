import type { Review } from '../review/types.js';
import { acceptedOf, attentionOf, inBaseline } from './exception-words.js';
import { code, prose, table } from './markdown-text.js';
import { count } from './review-words.js';

/** What was accepted, by whom and until when, and what the baseline holds. Nothing where there is neither. */
export function markdownAccepted(review: Review): string[] {
  const all = acceptedOf(review);
  const old = inBaseline(review);
  if (all.length === 0 && old.length === 0) return [];
  return [
    '## Accepted findings',
    '',
    ...table(['Finding', 'Rule', 'Where', 'Owner', 'Until', 'Reason', 'Written at'], all.map(({ finding, exception }) => [
      finding.id, code(finding.rule), code(`${finding.file}:${finding.line}`), prose(exception.owner ?? ''), exception.expires ?? '', prose(exception.reason ?? ''), code(`${exception.file}:${exception.line}`),
    ])),
    ...(old.length === 0 ? [] : [`In the baseline, from before step-lock was adopted: ${count(old.length, 'finding')}.`, '', ...table(['Finding', 'Rule', 'Where'], old.map((f) => [f.id, code(f.rule), code(`${f.file}:${f.line}`)]))]),
  ];
}

/** The exceptions that somebody has to look at. Nothing where all are in order. */
export function markdownAttention(review: Review): string[] {
  const all = attentionOf(review);
  if (all.length === 0) return [];
  return [
    '## Exceptions that need attention',
    '',
    'Expired, unused and incomplete ones accept nothing and count as warnings.',
    '',
    ...table(['Exception', 'Status', 'Rule', 'Written at', 'Owner', 'What is the matter'], all.map(({ id, status, rule, file, line, owner, problem }) => [
      id, status, rule === '' ? 'none' : code(rule), code(`${file}:${line}`), prose(owner ?? 'nobody'), prose(problem ?? ''),
    ])),
  ];
}
