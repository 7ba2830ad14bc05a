import type { Review } from '../review/types.js';
import { code, prose, table } from './markdown-text.js';

/** Who has accepted what, why and until when. Nothing when there is no exception. */
export function markdownExceptions({ exceptions }: Review): string[] {
  if (exceptions.length === 0) return [];
  return [
    '## Exceptions',
    '',
    ...table(['Exception', 'Status', 'Rule', 'Owner', 'Until', 'Reason', 'Written at', 'Accepts', 'What is the matter'], exceptions.map((each) => [
      each.id, each.status === 'active' ? each.status : `**${each.status}**`, code(each.rule), prose(each.owner ?? 'nobody'), prose(each.expires ?? 'no date'), prose(each.reason ?? 'no reason'),
      code(`${each.file}:${each.line}`), each.findings.length === 0 ? 'nothing' : each.findings.join(', '), prose(each.problem ?? ''),
    ])),
  ];
}
