import type { Term } from '../syntax/term.js';
import { walkTerm } from '../syntax/term.js';

/** The unit a name promises: `ttlMs`, `LOCK_TTL_SECONDS`. Undefined when the names say nothing or contradict each other. */
export function namedUnit(term: Term): 's' | 'ms' | undefined {
  const found = new Set<'s' | 'ms'>();
  walkTerm(term, (t) => {
    const name = t.kind === 'symbol' ? t.name : t.kind === 'path' ? t.prop : '';
    if (/(?:[a-z]Ms|_MS|^ms|[mM]illis(?:econds)?|MILLIS(?:ECONDS)?)$/.test(name)) found.add('ms');
    if (/(?:[a-z]Secs?|_SECS?|^secs?|^seconds|[a-z]Seconds|_SECONDS)$/.test(name)) found.add('s');
  });
  return found.size === 1 ? [...found][0] : undefined;
}
