import type { Finding, Review } from '../review/types.js';
import { openFindings } from './open-findings.js';

/** One thing to do, which mends all findings of a rule that stand for the same fault. */
export interface FirstStep {
  readonly rule: string;
  /** The most urgent of them: its message tells the fault. */
  readonly worst: Finding;
  /** All of them, the most urgent first. */
  readonly findings: readonly Finding[];
}

/** The open findings as things to do: one a rule, the most urgent first. */
export function firstSteps(review: Pick<Review, 'findings'>): FirstStep[] {
  const byRule = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of openFindings(review)) {
    const group = byRule.get(finding.rule);
    if (group === undefined) byRule.set(finding.rule, [finding]);
    else group.push(finding);
  }
  // A map keeps the order of its first entries, which is that of the urgency.
  return [...byRule].map(([rule, findings]) => ({ rule, worst: findings[0], findings }));
}
