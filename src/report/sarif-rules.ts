import type { ReportingDescriptor } from 'sarif';
import type { Review } from '../review/types.js';
import { DIMENSIONS, SKILL_ROWS, VERIFICATION_CASES } from '../skill/skill.js';
import type { ReportRule } from './report-rule.js';

/** GitHub cuts a description here. */
const LONGEST_DESCRIPTION = 1_024;

/** The rules that were judged, and those that findings name beside them, each once. */
export function sarifRules(review: Review, rules: readonly ReportRule[]): ReportingDescriptor[] {
  const known = new Set(rules.map(({ id }) => id));
  const named = [...review.findings, ...(review.change?.fixed ?? [])].map(({ rule }) => rule).filter((id) => !known.has(id));
  return [...rules.map(descriptor), ...[...new Set(named)].sort().map((id) => ({ id }))];
}

function descriptor(rule: ReportRule): ReportingDescriptor {
  const { id, skill, dimension, validation, page, address } = rule;
  const summary = rule.summary.slice(0, LONGEST_DESCRIPTION);
  const help = [
    rule.summary,
    `Skill ${skill}: ${SKILL_ROWS[skill]}. Dimension ${dimension}: ${DIMENSIONS[dimension]}.`,
    ...validation.map((name) => `To validate a mend, ${name}: ${VERIFICATION_CASES[name]}.`),
  ].join('\n');
  return {
    id,
    name: id.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    help: { text: help, ...(page === undefined ? {} : { markdown: page }) },
    ...(address === undefined ? {} : { helpUri: address }),
    // State rules are warnings until they are certain.
    defaultConfiguration: { enabled: rule.profile === 'recommended', level: rule.family === 'lock-use' ? 'error' : 'warning' },
    properties: {
      tags: ['concurrency', 'distributed-lock', rule.family, `skill/${skill}`, `dimension/${dimension}`, 'external/cwe/cwe-667'],
      precision: rule.profile === 'recommended' ? 'high' : 'medium',
      'problem.severity': rule.family === 'lock-use' ? 'error' : 'warning',
    },
  };
}
