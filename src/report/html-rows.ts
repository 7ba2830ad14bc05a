import type { Review } from '../review/types.js';
import { DIMENSIONS, SKILL_ROWS, VERIFICATION_CASES } from '../skill/skill.js';
import { findingLink, paragraph, status, table } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { code, escape, prose } from './html-text.js';

/** The skill table, the verification cases and the dimensions. */
export function htmlRows({ skill, verification, dimensions }: Review): PageSection {
  return {
    id: 'skill',
    title: 'Skill, verification cases, dimensions',
    short: 'Skill and dimensions',
    content: paragraph('Counted over all outcomes, whatever the profile reports.')
      + table('Skill', ['Row', 'Asks for', 'Status', 'Verified', 'Violated', 'Unknown'], skill.map((row) => [
        row.id, SKILL_ROWS[row.id], status(row.status), String(row.verified), String(row.violated), String(row.unknown),
      ]))
      + '<h3>Verification cases</h3>\n'
      + table('Verification cases', ['Case', 'What a test shows', 'Status', 'Evidence'], verification.map((row) => [
        row.id, VERIFICATION_CASES[row.id], status(row.status), prose(row.evidence),
      ]))
      + '<h3>Dimensions</h3>\n'
      + table('Dimensions', ['Dimension', 'Status', 'Evidence', 'Current', 'Expected', 'Difference', 'Owner', 'Validated by'], dimensions.map((row) => [
        `${row.id} ${DIMENSIONS[row.id]}`, status(row.status), prose(row.evidence), prose(row.current), prose(row.expected), prose(row.difference),
        escape(row.owner ?? 'nobody is named'), row.validation.join(', '),
      ]), 'wide'),
  };
}

/** Who has accepted what, why and until when. Nothing when there is no exception. */
export function htmlExceptions({ exceptions }: Review): PageSection | undefined {
  if (exceptions.length === 0) return undefined;
  return {
    id: 'exceptions',
    title: 'Exceptions',
    aside: String(exceptions.length),
    content: table('All exceptions', ['Exception', 'Status', 'Rule', 'Owner', 'Until', 'Reason', 'Written at', 'Accepts', 'What is the matter'], exceptions.map((each) => [
      escape(each.id), status(each.status), code(each.rule), escape(each.owner ?? 'nobody'), escape(each.expires ?? 'no date'), prose(each.reason ?? 'no reason'),
      code(`${each.file}:${each.line}`), each.findings.length === 0 ? 'nothing' : each.findings.map(findingLink).join(' '), prose(each.problem ?? ''),
    ])),
  };
}
