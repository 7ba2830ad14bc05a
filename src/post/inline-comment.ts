import { VERIFICATION_CASES } from '../skill/skill.js';
import { byUrgency } from '../report/urgency.js';
import { isAccepted } from '../report/accepted.js';
import type { Finding, Review } from '../review/types.js';
import { COMMENT_BYTES, fixedSection, listSection, withinBudget } from './body-budget.js';
import { shows, type DiffLines, type LineRange } from './diff-lines.js';
import { findingMarker } from './marker.js';
import { code, words } from './post-text.js';
import { suggestedChange } from './suggestion.js';

/** A finding with the place in the diff it is told at. */
export interface InlineComment {
  readonly finding: Finding;
  /** As in the review. */
  readonly file: string;
  readonly lines: LineRange;
  readonly body: string;
}

/** The findings a change answers for, the worst first: what it brought, or everything where nothing is known of a base. */
export function newFindings(review: Review): Finding[] {
  return byUrgency(review.findings.filter((finding) => finding.change !== 'old' && !isAccepted(finding)));
}

/** The comment of a finding: on its own lines, on the edited ones, or on the changed line that brought it. Undefined: the diff shows none of them. */
export function inlineComment(finding: Finding, diff: DiffLines, source: (file: string) => string | undefined): InlineComment | undefined {
  const change = suggestedChange(finding, source(finding.file));
  if (change !== undefined && shows(diff, finding.file, change.lines)) {
    return comment(finding, finding.file, change.lines, change.block);
  }
  const whole = { first: finding.line, last: finding.endLine };
  if (shows(diff, finding.file, whole)) return comment(finding, finding.file, whole);
  const begin = { first: finding.line, last: finding.line };
  if (shows(diff, finding.file, begin)) return comment(finding, finding.file, begin);
  const { causedBy } = finding;
  if (causedBy === undefined) return undefined;
  const cause = { first: causedBy.line, last: causedBy.line };
  return shows(diff, causedBy.file, cause) ? comment(finding, causedBy.file, cause) : undefined;
}

function comment(finding: Finding, file: string, lines: LineRange, suggestion: readonly string[] = []): InlineComment {
  return { finding, file, lines, body: inlineBody(finding, file, lines, suggestion) };
}

function inlineBody(finding: Finding, file: string, lines: LineRange, suggestion: readonly string[]): string {
  const { causedBy, witness, conflictsWith, owner, validation, fix } = finding;
  const elsewhere = file !== finding.file || finding.line < lines.first || finding.line > lines.last;
  const head = [
    findingMarker(finding.fingerprint),
    `**${finding.severity}**, ${finding.certainty}, ${code(finding.rule)}${elsewhere ? ` at ${code(`${finding.file}:${finding.line}`)}` : ''}`,
    '',
    words(finding.message),
    '',
    ...(causedBy === undefined ? [] : [`Brought by ${code(`${causedBy.file}:${causedBy.line}`)}: ${words(causedBy.note)}`, '']),
    `**To do:** ${words(finding.action)}`,
  ];
  const offered = suggestion.length === 0 ? [] : [fixedSection(['', ...(fix === undefined ? [] : [words(fix.title), '']), ...suggestion])];
  const path = witness.length === 0 ? [] : [listSection(
    ['', '**Path**', ''],
    witness,
    (step, at) => [`${at + 1}. ${step.role} ${code(`${step.file}:${step.line}`)} ${words(step.note)}`.trimEnd()],
    (left) => `${witness.length - left + 1}. and ${left} more`,
  )];
  const foot = [
    '',
    `<sub>${[
      ...(conflictsWith === undefined ? [] : [`Second worker: ${code(conflictsWith)}.`]),
      ...(validation.length === 0 ? [] : [`To validate: ${validation.map((id) => `${id} ${VERIFICATION_CASES[id]}`).join('; ')}.`]),
      ...(owner === undefined ? [] : [`Owner: ${code(owner)}.`]),
      `${code(`step-lock explain ${finding.rule}`)} tells more.`,
    ].join(' ')}</sub>`,
  ];
  return withinBudget([fixedSection(head), ...offered, ...path], foot, COMMENT_BYTES);
}
