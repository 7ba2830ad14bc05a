import type { Finding, Review } from '../review/types.js';
import { VERIFICATION_CASES } from '../skill/skill.js';
import { summaryText } from './markdown-details.js';
import { code, prose } from './markdown-text.js';
import { acceptedFindings, openFindings } from './open-findings.js';
import { count } from './review-words.js';
import { secondWorker } from './second-worker.js';
import { stepPlace } from './step-place.js';

/** So many are shown in full; the others are folded, each under its headline. */
const MOST_UNFOLDED = 10;

/** Every finding, the most urgent first; what somebody answers for already stands behind the open ones. */
export function markdownFindings(review: Review): string[] {
  const open = openFindings(review);
  const accepted = acceptedFindings(review);
  return [
    '## Findings, most urgent first',
    '',
    ...(open.length === 0 ? ['None in this profile.', ''] : []),
    ...earlier(review),
    ...open.slice(0, MOST_UNFOLDED).flatMap((finding) => markdownFinding(finding, review)),
    ...(open.length > MOST_UNFOLDED ? [`${count(open.length - MOST_UNFOLDED, 'more finding', 'more findings')}, folded:`, ''] : []),
    ...open.slice(MOST_UNFOLDED).flatMap((finding) => folded(finding, review)),
    ...(accepted.length === 0 ? [] : ['### Accepted', '', 'They are there, somebody answers for them, and they do not count towards the exit code.', '']),
    ...accepted.flatMap((finding) => folded(finding, review)),
  ];
}

/** That there were findings before the change, where the report was asked to leave them out. */
function earlier({ change, findings }: Review): string[] {
  if (change === undefined || change.old === 0 || findings.some((finding) => finding.change === 'old')) return [];
  return [`${count(change.old, 'finding was', 'findings were')} there before the change: \`--all\` lists them.`, ''];
}

/** One finding: message, numbered path, second worker, what to do and how to show that it is mended. */
function markdownFinding(finding: Finding, review: Review): string[] {
  return [`### ${finding.id} ${code(finding.rule)} at ${code(`${finding.file}:${finding.line}:${finding.column}`)}`, '', ...findingBody(finding, review)];
}

function folded(finding: Finding, review: Review): string[] {
  const { id, severity, certainty, rule, file, line } = finding;
  return ['<details>', `<summary>${summaryText(`${id} ${severity}, ${certainty}: ${rule} at ${file}:${line}`)}</summary>`, '', ...findingBody(finding, review), '</details>', ''];
}

/** What stands under the headline of a finding. */
export function findingBody(finding: Finding, review: Review): string[] {
  const { witness, causedBy, related } = finding;
  return [
    `**${finding.severity}**, ${finding.certainty}, ${finding.skill}, ${finding.dimension}${standing(finding)}. ${prose(finding.message)}`,
    '',
    ...witness.map((step, at) => `${at + 1}. **${step.role}** ${code(stepPlace(step, finding))} ${prose(step.note)}`.trimEnd()),
    ...(witness.length === 0 ? [] : ['']),
    `- Do: ${prose(finding.action)}`,
    `- Second worker: ${prose(secondWorker(finding, review))}`,
    ...(causedBy === undefined ? [] : [`- Brought by ${code(`${causedBy.file}:${causedBy.line}`)}: ${prose(causedBy.note)}`]),
    `- Owner: ${finding.owner === undefined ? 'nobody is named' : prose(finding.owner)}`,
    `- Validate: ${finding.validation.length === 0 ? 'no case of the skill covers it' : finding.validation.map((id) => `${id} ${VERIFICATION_CASES[id]}`).join('; ')}`,
    ...(related === undefined ? [] : [`- Same place: ${related.join(', ')}`]),
    `- Fingerprint: ${code(finding.fingerprint)}`,
    '',
  ];
}

/** `, new`, `, accepted by x1`: what the finding is beside its fault. */
function standing({ change, exception, baseline }: Finding): string {
  return [change === undefined ? '' : `, ${change}`, exception === undefined ? '' : `, accepted by ${exception}`, baseline === true ? ', accepted by the baseline' : ''].join('');
}
