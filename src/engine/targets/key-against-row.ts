import { mentions } from '../syntax/compare-terms.js';
import { walkTerm, type Term } from '../syntax/term.js';

/** How the key of a lock stands to the identity of a row: the identity occurs in it or the key is constant, both are in sight and share nothing, or neither is known. */
export function keyAgainstRow(key: Term, identity: readonly Term[]): 'covered' | 'misses' | 'undecided' {
  // `message.runId` of what a queue gave: nobody knows what it is, but the key is made of it.
  if (identity.some((t) => t.kind !== 'const' && mentions(key, t))) return 'covered';
  const inKey = namesIn(key);
  if (inKey.opaque) return 'undecided';
  if (inKey.names.size === 0) return 'covered';
  const inRow = identity.map(namesIn);
  if (inRow.some(({ names }) => [...names].some((n) => inKey.names.has(n)))) return 'covered';
  return identity.length === 0 || inRow.some((r) => r.opaque || r.names.size === 0) ? 'undecided' : 'misses';
}

/** The names a term is made of, as far as they are in sight. A property speaks for its object: `run:${step.runId}` covers `step.id`. */
function namesIn(term: Term): { readonly names: ReadonlySet<string>; readonly opaque: boolean } {
  const names = new Set<string>();
  let opaque = false;
  walkTerm(term, (t) => {
    if (t.kind === 'symbol' && t.name !== 'this') names.add(t.id);
    if (t.kind === 'unknown' || t.kind === 'call') opaque = true;
  });
  return { names, opaque };
}
