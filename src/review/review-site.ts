import type { Outcome } from '../engine/judge/outcome.js';
import type { Site } from '../engine/judge/site.js';
import type { LocalPaths } from './local-path.js';
import type { ReviewOutcome, ReviewSite } from './types.js';

/** A site as plain data with local paths. */
export function reviewSite(site: Site, id: string, local: LocalPaths): ReviewSite {
  const outcomes = Object.entries(site.outcomes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([rule, outcome]) => [rule, reviewOutcome(outcome, local)] as const);
  return {
    id,
    subject: site.subject,
    file: local.path(site.place.file),
    line: site.place.line,
    column: site.place.column,
    name: site.name,
    facts: site.facts,
    outcomes: Object.fromEntries(outcomes),
  };
}

function reviewOutcome(outcome: Outcome, local: LocalPaths): ReviewOutcome {
  switch (outcome.status) {
    case 'verified':
      return { status: 'verified', evidence: outcome.evidence.map(({ place, note }) => ({ file: local.path(place.file), line: place.line, note: local.text(note) })) };
    case 'violated':
      return {
        status: 'violated',
        evidence: outcome.witness.map(({ place, note }) => ({ file: local.path(place.file), line: place.line, note: local.text(note) })),
        ...(outcome.supersededBy === undefined ? {} : { supersededBy: outcome.supersededBy }),
      };
    case 'unknown':
      return { status: 'unknown', evidence: [], missing: { ...outcome.missing, fact: local.text(outcome.missing.fact), question: local.text(outcome.missing.question) } };
    case 'not-applicable':
      return { status: 'not-applicable', evidence: [] };
  }
}

/** Review ids by engine ids: `file:line:column` seen from the root; a second site at one place gets its subject appended. */
export function siteIds(sites: readonly Site[], local: LocalPaths): ReadonlyMap<Site, string> {
  const ids = new Map<Site, string>();
  const taken = new Map<string, number>();
  for (const site of sites) {
    const place = local.id(site.place);
    const before = taken.get(place) ?? 0;
    taken.set(place, before + 1);
    ids.set(site, before === 0 ? place : `${place}#${before + 1}`);
  }
  return ids;
}
