import type { Site, Target } from '../engine/judge/site.js';
import type { ReviewTarget, ReviewWriter } from './types.js';

/** State targets with who writes them, from the facts of their transition sites. `t1`, `t2` ... in the engine's order. */
export function reviewTargets(targets: readonly Target[], sites: ReadonlyMap<string, Site>, siteId: (engineId: string) => string): ReviewTarget[] {
  return targets.map((target, at) => {
    const writers = target.writers.map((id) => writer(siteId(id), sites.get(id)));
    return {
      id: `t${at + 1}`,
      name: target.name,
      states: target.states,
      transitions: [...new Set(writers.map(({ from, to }) => `${from} -> ${to}`))],
      writers,
      conflicts: target.conflicts.map(([first, second]) => [siteId(first), siteId(second)] as const),
    };
  });
}

function writer(id: string, site: Site | undefined): ReviewWriter {
  if (site?.facts.subject !== 'T') return { site: id, actor: 'unknown', from: 'unknown', to: 'unknown', guard: 'unknown', lock: 'unknown' };
  const { actor, from, to, grade, locks } = site.facts;
  return { site: id, actor, from, to, guard: grade === 'unknown' ? 'unknown' : `grade ${grade}`, lock: locks.length === 0 ? 'none' : locks.join(', ') };
}
