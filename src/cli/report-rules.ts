import type { RuleDefinition } from '../engine/judge/rule.js';
import type { ReportRule } from '../report/report-rule.js';
import { explainRule } from './explain-rule.js';

/** The rules as reports name them, with their pages. There is no public address of a page yet. */
export function reportRules(rules: readonly RuleDefinition[]): ReportRule[] {
  return rules.map(({ id, skill, dimension, family, profile, summary, validation }) =>
    ({ id, skill, dimension, family, profile, summary, validation, page: explainRule(id) }));
}
