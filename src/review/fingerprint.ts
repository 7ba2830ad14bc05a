import { createHash } from 'node:crypto';
import type { Reported } from '../engine/judge/reported.js';
import type { SiteFacts } from '../engine/judge/site.js';

/**
 * A name for each finding that survives edits elsewhere in the file: rule, path, enclosing function and operation, no line numbers. Equal
 * ones are told apart by their order.
 * @param findings In the order of their places.
 * @param pathOf The path of a file seen from the git root.
 * @returns 20 hexadecimal digits a finding, in the same order.
 */
export function fingerprints(findings: readonly Reported[], pathOf: (file: string) => string): string[] {
  const seen = new Map<string, number>();
  return findings.map(({ rule, site }) => {
    const identity = [rule.id, pathOf(site.place.file), site.name, ...operationOf(site.facts)].map(oneLine).join('\0');
    const ordinal = seen.get(identity) ?? 0;
    seen.set(identity, ordinal + 1);
    return createHash('sha256').update(`${identity}\0${ordinal}`).digest('hex').slice(0, 20);
  });
}

/** What the code does at the site, in words that a change of layout leaves alone. */
function operationOf(facts: SiteFacts): string[] {
  switch (facts.subject) {
    case 'A':
    case 'L':
    case 'E':
      return [facts.subject, facts.api, facts.key];
    case 'T':
      return [facts.subject, facts.layer, facts.target, facts.identity, facts.to];
    case 'I':
      return [facts.subject, facts.name];
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
