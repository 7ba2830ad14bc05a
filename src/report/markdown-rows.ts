import type { Review } from '../review/types.js';
import { DIMENSIONS, SKILL_ROWS, VERIFICATION_CASES } from '../skill/skill.js';
import { prose, table } from './markdown-text.js';

/** The skill table, the verification cases and the dimensions. */
export function markdownRows({ skill, verification, dimensions }: Review): string[] {
  return [
    '## Skill',
    '',
    'Counted over all outcomes, whatever the profile reports.',
    '',
    ...table(['Row', 'Asks for', 'Status', 'Verified', 'Violated', 'Unknown'], skill.map((row) => [
      row.id, SKILL_ROWS[row.id], row.status, String(row.verified), String(row.violated), String(row.unknown),
    ])),
    '## Verification cases',
    '',
    ...table(['Case', 'What a test shows', 'Status', 'Evidence'], verification.map((row) => [row.id, VERIFICATION_CASES[row.id], row.status, prose(row.evidence)])),
    '## Dimensions',
    '',
    ...table(['Dimension', 'Status', 'Evidence', 'Current', 'Expected', 'Difference', 'Owner', 'Validated by'], dimensions.map((row) => [
      `${row.id} ${DIMENSIONS[row.id]}`, row.status, prose(row.evidence), prose(row.current), prose(row.expected), prose(row.difference),
      row.owner === undefined ? 'nobody is named' : prose(row.owner), row.validation.join(', '),
    ])),
  ];
}
