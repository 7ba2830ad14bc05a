import type { RowStatus } from './types.js';
import type { Judged } from './tally.js';

const MOST = 3;
/** What is violated asks for its owner first; only where nothing is, do those of unknown places, and then those of verified ones. */
const ORDER = ['violated', 'unknown', 'verified'] as const satisfies readonly RowStatus[];

/** Who answers for a dimension: the owners of the places that keep it from being verified, the one with most first. `undefined`: nobody is named. */
export function dimensionOwner(own: readonly Judged[], ownerOf: (judged: Judged) => string | undefined): string | undefined {
  const worst = ORDER.find((status) => own.some(({ outcome }) => outcome.status === status));
  const counts = new Map<string, number>();
  for (const judged of own.filter(({ outcome }) => outcome.status === worst)) {
    const owner = ownerOf(judged);
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const owners = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([owner]) => owner);
  if (owners.length === 0) return undefined;
  return owners.slice(0, MOST).join(', ') + (owners.length > MOST ? ` and ${owners.length - MOST} more` : '');
}
