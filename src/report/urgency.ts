import type { Finding } from '../review/types.js';

const CERTAINTY_RANK = { certain: 0, likely: 1, possible: 2 } as const satisfies Record<Finding['certainty'], number>;

/** Errors before warnings, then the surest first, then by place. */
export function byUrgency(findings: readonly Finding[]): Finding[] {
  const severity = (finding: Finding): number => (finding.severity === 'error' ? 0 : 1);
  // The sort is stable: equals keep the order of their places.
  return findings.toSorted((a, b) => severity(a) - severity(b) || CERTAINTY_RANK[a.certainty] - CERTAINTY_RANK[b.certainty]);
}
