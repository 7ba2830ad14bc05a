import { createHash } from 'node:crypto';
import type { Reported } from '../engine/judge/reported.js';
import type { SiteFacts } from '../engine/judge/site.js';

/**
 * A name for each finding that survives what leaves the code as it is: moved lines, moved functions, renamed files, another layout. It is made of the rule, the enclosing
 * function, the operation, and the template of key or target, or of the root that several sites share; no path and no line. Equal ones are told apart by their position, `-2`, `-3` ...
 * @param findings In the order of their files and places.
 * @returns 20 hexadecimal digits a finding, then its position from the second equal on; in the same order.
 */
export function fingerprints(findings: readonly Reported[]): string[] {
  const seen = new Map<string, number>();
  return findings.map(({ rule, site, outcome }) => {
    const identity = createHash('sha256').update([rule.id, ...(outcome.root === undefined ? [site.name, ...operationOf(site.facts)] : [outcome.root])].map(layoutFree).join('\0')).digest('hex').slice(0, 20);
    const position = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, position);
    return position === 1 ? identity : `${identity}-${String(position)}`;
  });
}

/** What findings that are alike have in common: the fingerprint without the position. */
export function identityOf(fingerprint: string): string {
  return fingerprint.slice(0, 20);
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

/** Facts quote code: its comments, spaces, kinds of quotes, trailing commas and semicolons say nothing. */
export function layoutFree(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\/|(^|[\s(,{[;])\/\/[^\n]*/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w$ ]) ?/g, '$1')
    .trim()
    .replace(/["`]/g, '\'')
    .replace(/[,;]+(?=[)\]}]|$)/g, '');
}
