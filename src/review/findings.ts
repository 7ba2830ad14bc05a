import type { Reported } from '../engine/judge/reported.js';
import { fingerprints } from './fingerprint.js';
import type { LocalPaths } from './local-path.js';
import type { Finding } from './types.js';

export interface FindingOptions {
  readonly local: LocalPaths;
  /** The review's id of a site, given the engine's. */
  readonly siteId: (engineId: string) => string;
}

/** The findings of a profile as plain data, `f1`, `f2` ... in the order of their places. */
export function findingsOf(found: readonly Reported[], options: FindingOptions): Finding[] {
  const { local, siteId } = options;
  const prints = fingerprints(found);
  const idsBySite = new Map<string, string[]>();
  found.forEach(({ site }, at) => idsBySite.set(site.id, [...(idsBySite.get(site.id) ?? []), `f${at + 1}`]));

  return found.map((entry, at): Finding => {
    const { rule, site, outcome } = entry;
    const id = `f${at + 1}`;
    const related = (idsBySite.get(site.id) ?? []).filter((other) => other !== id);
    const fix = outcome.suggestions?.[0];
    return {
      id,
      rule: rule.id,
      skill: rule.skill,
      dimension: rule.dimension,
      certainty: outcome.certainty,
      severity: entry.severity,
      site: siteId(site.id),
      file: local.path(outcome.at.file),
      line: outcome.at.line,
      column: outcome.at.column,
      endLine: outcome.at.endLine,
      endColumn: outcome.at.endColumn,
      message: local.text(entry.message),
      witness: outcome.witness.map(({ place, role, note }) => ({ file: local.path(place.file), line: place.line, column: place.column, role, note: local.text(note) })),
      ...(outcome.conflictsWith === undefined ? {} : { conflictsWith: siteId(outcome.conflictsWith) }),
      ...(related.length === 0 ? {} : { related }),
      action: local.text(outcome.action),
      validation: rule.validation,
      ...(fix === undefined ? {} : { fix }),
      fingerprint: prints[at] ?? '',
    };
  });
}
