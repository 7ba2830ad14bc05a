import type { Review, ReviewTarget } from '../review/types.js';
import { printable } from './paint.js';
import { count, shortened } from './review-words.js';

const MOST_WRITERS = 8;
const MOST_RIVALS = 6;

/** The conflict table for a terminal: each writer that can overlap with others, those with the most rivals first. */
export function textTargets({ targets }: Review): string[] {
  const pairs = targets.reduce((sum, { conflicts }) => sum + conflicts.length, 0);
  if (targets.length === 0) return [];
  const writers = targets.reduce((sum, { writers: all }) => sum + all.length, 0);
  const headline = `${count(targets.length, 'state target')} with ${count(writers, 'writer')}; ${pairs === 0 ? 'no two are known to overlap' : `${count(pairs, 'pair')} can overlap:`}`;
  const { shown, more } = shortened(targets.flatMap(struck), MOST_WRITERS);
  return [headline, ...shown.flat(), ...(more === 0 ? [] : [`and ${count(more, 'more writer')} in the json and markdown reports`])];
}

/** The writers of a target with their rivals, each pair told once. */
function struck(target: ReviewTarget): string[][] {
  const found: string[][] = [];
  let left = [...target.conflicts];
  while (left.length > 0) {
    const counts = new Map<string, number>();
    for (const pair of left) for (const site of new Set(pair)) counts.set(site, (counts.get(site) ?? 0) + 1);
    const [site] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [''];
    const rivals = left.filter((pair) => pair.includes(site)).map(([a, b]) => (a === site ? b : a));
    left = left.filter((pair) => !pair.includes(site));
    const { shown, more } = shortened(rivals, MOST_RIVALS);
    found.push([
      printable(`${target.name}: ${told(target, site)} against`),
      ...shown.map((rival) => printable(rival === site ? '  itself, entered twice' : `  ${told(target, rival)}`)),
      ...(more === 0 ? [] : [`  and ${count(more, 'more writer')}`]),
    ]);
  }
  return found;
}

function told({ writers }: ReviewTarget, site: string): string {
  const writer = writers.find((w) => w.site === site);
  return writer === undefined ? site : `${site} (${writer.actor}: ${writer.from} -> ${writer.to}; lock: ${writer.lock})`;
}
