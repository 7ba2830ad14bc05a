import { renderMessage, type RuleDefinition } from './rule.js';
import type { Certainty, Violated } from './outcome.js';
import type { Site } from './site.js';

export type Profile = 'recommended' | 'strict';
export type Severity = 'error' | 'warning';

/** A violated outcome that a profile turns into a finding. */
export interface Reported {
  readonly rule: RuleDefinition;
  readonly site: Site;
  readonly outcome: Violated;
  readonly severity: Severity;
  readonly message: string;
}

/**
 * The violated outcomes that a profile reports, ordered by file, line, column and rule. Superseded outcomes are not reported.
 * @param least The least certainty: it narrows the profile and never widens it.
 */
export function reported(sites: readonly Site[], rules: readonly RuleDefinition[], profile: Profile, least: Certainty = 'possible'): Reported[] {
  const found: Reported[] = [];
  for (const site of sites) {
    for (const rule of rules) {
      const outcome = site.outcomes[rule.id];
      if (outcome?.status !== 'violated' || outcome.supersededBy !== undefined || RANK[outcome.certainty] > RANK[least]) continue;
      if (profile === 'recommended' && (rule.profile === 'strict' || outcome.strictOnly === true || outcome.certainty === 'possible')) continue;
      found.push({ rule, site, outcome, severity: severityOf(rule, outcome), message: renderMessage(rule, outcome.messageId, outcome.data) });
    }
  }
  return found.sort(byPlaceAndRule);
}

const RANK = { certain: 0, likely: 1, possible: 2 } as const satisfies Record<Certainty, number>;

/** Lock-use rules are errors. State rules are errors when certain; a second line missing under a proven lock is a warning. */
function severityOf(rule: RuleDefinition, outcome: Violated): Severity {
  if (outcome.certainty === 'possible' || outcome.secondLine === true) return 'warning';
  if (rule.family === 'lock-use') return 'error';
  return outcome.certainty === 'certain' ? 'error' : 'warning';
}

function byPlaceAndRule(a: Reported, b: Reported): number {
  const p = a.outcome.at;
  const q = b.outcome.at;
  if (p.file !== q.file) return p.file < q.file ? -1 : 1;
  return p.line - q.line || p.column - q.column || (a.rule.id < b.rule.id ? -1 : a.rule.id > b.rule.id ? 1 : 0);
}
