import type { Finding } from '../review/types.js';
import { VERIFICATION_CASES } from '../skill/skill.js';
import { code, prose } from './markdown-text.js';

/** One finding: message, numbered path, second worker, what to do and how to show that it is mended. */
export function markdownFinding(finding: Finding): string[] {
  return [
    `### ${finding.id} ${code(finding.rule)} at ${code(`${finding.file}:${finding.line}:${finding.column}`)}`,
    '',
    `**${finding.severity}**, ${finding.certainty}, ${finding.skill}, ${finding.dimension}. ${prose(finding.message)}`,
    '',
    ...finding.witness.map((step, at) => `${at + 1}. **${step.role}** ${code(`${step.file}:${step.line}`)} ${prose(step.note)}`.trimEnd()),
    ...(finding.witness.length === 0 ? [] : ['']),
    `- Second worker: ${finding.conflictsWith === undefined ? 'as the message says' : code(finding.conflictsWith)}`,
    `- Do: ${prose(finding.action)}`,
    `- Validate: ${finding.validation.length === 0 ? 'no case of the skill covers it' : finding.validation.map((id) => `${id} ${VERIFICATION_CASES[id]}`).join('; ')}`,
    `- Fingerprint: ${code(finding.fingerprint)}`,
    ...(finding.related === undefined ? [] : [`- Same place: ${finding.related.join(', ')}`]),
    '',
  ];
}
