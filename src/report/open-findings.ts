import { isOpen } from '../review/open-findings.js';
import type { Finding, Review } from '../review/types.js';
import { byUrgency } from './urgency.js';

/** Whether somebody answers for the finding already: an exception in force, or the baseline of an adoption. */
export function isAccepted(finding: Pick<Finding, 'exception' | 'baseline'>): boolean {
  return !isOpen(finding);
}

/** What is left to mend, the most urgent first; what a change brought stands before what was there. */
export function openFindings({ findings }: Pick<Review, 'findings'>): Finding[] {
  const open = byUrgency(findings.filter((finding) => !isAccepted(finding)));
  return [...open.filter(({ change }) => change !== 'old'), ...open.filter(({ change }) => change === 'old')];
}

/** Findings that are accepted, the most urgent first. */
export function acceptedFindings({ findings }: Pick<Review, 'findings'>): Finding[] {
  return byUrgency(findings.filter(isAccepted));
}
