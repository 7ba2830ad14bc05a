import type { Finding, Review } from '../review/types.js';
import { findingBody } from './markdown-finding.js';

/** A finding as the text of an issue: its first line is the title, the rest is Markdown. */
export function issueText(finding: Finding, review: Review): string {
  return [`step-lock: ${finding.rule} at ${finding.file}:${finding.line}`, '', ...findingBody(finding, review)].join('\n').trimEnd();
}
