import type { Target } from '../engine/judge/site.js';
import type { ReviewTarget } from './types.js';

/** State targets with who writes them. `t1`, `t2` ... in the engine's order. */
export function reviewTargets(targets: readonly Target[], siteId: (engineId: string) => string): ReviewTarget[] {
  return targets.map(({ name, states, transitions, writers, conflicts }, at) => ({
    id: `t${at + 1}`,
    name,
    states,
    transitions,
    writers: writers.map((writer) => ({ ...writer, site: siteId(writer.site) })),
    conflicts: conflicts.map(([first, second]) => [siteId(first), siteId(second)] as const),
  }));
}
