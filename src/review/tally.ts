import type { Outcome } from '../engine/judge/outcome.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Site } from '../engine/judge/site.js';
import type { RowStatus } from './types.js';

/** How often the outcomes of some rules were of each status, over all sites. Superseded violations count: they are violations. */
export interface Tally {
  readonly verified: number;
  readonly violated: number;
  readonly unknown: number;
}

/** An outcome with the site and rule it belongs to. */
export interface Judged {
  readonly site: Site;
  readonly rule: RuleDefinition;
  readonly outcome: Outcome;
}

/** All outcomes of the sites, in the order of the sites, then of the rules. */
export function judgedOutcomes(sites: readonly Site[], rules: readonly RuleDefinition[]): Judged[] {
  return sites.flatMap((site) => rules.flatMap((rule) => {
    const outcome = site.outcomes[rule.id];
    return outcome === undefined ? [] : [{ site, rule, outcome }];
  }));
}

export function tally(judged: readonly Judged[]): Tally {
  const counts = { verified: 0, violated: 0, unknown: 0 };
  for (const { outcome } of judged) {
    if (outcome.status !== 'not-applicable') counts[outcome.status]++;
  }
  return counts;
}

/** What a row is worth: nothing seen is unknown, never fine. */
export function rowStatus({ verified, violated, unknown }: Tally): RowStatus {
  if (violated > 0) return 'violated';
  return unknown > 0 || verified === 0 ? 'unknown' : 'verified';
}
