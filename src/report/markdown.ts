import { isOpen } from '../review/open-findings.js';
import type { Review } from '../review/types.js';
import { DIMENSIONS, SKILL_ROWS, VERIFICATION_CASES } from '../skill/skill.js';
import { markdownBoundaries } from './markdown-boundaries.js';
import { markdownAccepted, markdownAttention } from './markdown-attention.js';
import { markdownFinding } from './markdown-finding.js';
import { markdownTargets } from './markdown-targets.js';
import { byUrgency } from './urgency.js';
import { code, prose, table } from './markdown-text.js';
import { findingCounts, scopeSentence, settledSentence, verdictSentence } from './review-words.js';

/** The review as a document to hand over: what was judged, what to do first, what is proven, and what nobody has looked at. */
export function markdown(review: Review): string {
  const lines = [
    '# Lock and state review',
    '',
    ...scope(review),
    ...findings(review),
    ...markdownAttention(review),
    ...markdownAccepted(review),
    ...markdownTargets(review),
    ...locks(review),
    ...skill(review),
    ...questions(review),
    ...markdownBoundaries(review),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function scope(review: Review): string[] {
  const { tool, scope: { profile, configDigest, commit, base, asOf } } = review;
  return [
    `**Verdict: ${review.verdict}.** ${prose(verdictSentence(review))}`,
    '',
    `- Scope: ${scopeSentence(review)}.`,
    `- Findings: ${findingCounts(review)}, profile ${code(profile)}.`,
    ...(commit === undefined ? [] : [`- Commit: ${code(commit)}${base === undefined ? '' : `, against ${code(base)}`}.`]),
    ...(asOf === undefined ? [] : [`- Exceptions judged as of ${asOf}.`]),
    `- Tool: ${tool.name} ${tool.version}, configuration ${code(configDigest.slice(0, 12))}.`,
    '',
  ];
}

function findings(review: Review): string[] {
  const ordered = byUrgency(review.findings.filter(isOpen));
  return ['## Findings, most urgent first', '', ...(ordered.length === 0 ? ['None in this profile.', ''] : ordered.flatMap(markdownFinding))];
}

function locks({ locks: all }: Review): string[] {
  const head = ['Lock', 'Where', 'Key', 'Owner', 'TTL', 'Renewal', 'Release', 'On contention', 'On outage', 'Events', 'Scope', 'Acquired at', 'Protects'];
  return [
    '## Locks',
    '',
    ...(all.length === 0 ? ['No lock was seen.', ''] : []),
    ...table(head, all.map((lock) => [
      lock.id, code(`${lock.file}:${lock.line}`), code(lock.keyTemplate), code(lock.owner), code(lock.ttl), prose(lock.renewal), prose(lock.release),
      prose(lock.onContention), prose(lock.onOutage), prose(lock.events), prose(lock.scope),
      lock.acquirers.map(code).join(' '), lock.protects.length === 0 ? 'nothing known' : lock.protects.map(prose).join(', '),
    ])),
  ];
}

function skill(review: Review): string[] {
  return [
    '## Skill',
    '',
    'Counted over all outcomes, whatever the profile reports.',
    '',
    ...table(['Row', 'Asks for', 'Status', 'Verified', 'Violated', 'Unknown'], review.skill.map((row) => [
      row.id, SKILL_ROWS[row.id], row.status, String(row.verified), String(row.violated), String(row.unknown),
    ])),
    '## Verification cases',
    '',
    ...table(['Case', 'What a test shows', 'Status', 'Evidence'], review.verification.map((row) => [row.id, VERIFICATION_CASES[row.id], row.status, prose(row.evidence)])),
    '## Dimensions',
    '',
    ...table(['Dimension', 'Status', 'Evidence', 'Current', 'Expected', 'Difference', 'Validated by'], review.dimensions.map((row) => [
      `${row.id} ${DIMENSIONS[row.id]}`, row.status, prose(row.evidence), prose(row.current), prose(row.expected), prose(row.difference), row.validation.join(', '),
    ])),
  ];
}

function questions({ questions: all }: Review): string[] {
  if (all.length === 0) return [];
  const places = (settles: readonly string[]): string => settles.slice(0, 5).map(code).join(', ') + (settles.length > 5 ? ` and ${settles.length - 5} more` : '');
  return [
    '## Open questions',
    '',
    settledSentence(all),
    '',
    ...all.map(({ question, settles, answer }, at) => `${at + 1}. ${prose(question)} Settles ${places(settles)}.${answer === '' ? '' : ` Say: ${code(answer)}.`}`),
    '',
  ];
}
