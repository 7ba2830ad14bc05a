import { expect, it } from 'vitest';
import { dimensionOwner } from '../../src/review/dimension-owner.js';
import type { Judged } from '../../src/review/tally.js';
import { acquisition, place, requireTtl, unknown, verified, violated } from './sample-analysis.js';

const at = (file: string, kind: 'violated' | 'unknown' | 'verified'): Judged => {
  const where = place(file, 1);
  const outcome = kind === 'violated' ? violated(where) : kind === 'unknown' ? unknown('What?') : verified(where);
  return { site: acquisition(where, {}), rule: requireTtl, outcome };
};
const ownerOf = ({ site }: Judged): string | undefined => /owned-by-(\w+)/.exec(site.place.file)?.[1];

it('asks the owners of what is violated; of what is unknown only where nothing is', () => {
  expect(dimensionOwner([at('owned-by-a.ts', 'verified'), at('owned-by-b.ts', 'unknown'), at('owned-by-c.ts', 'violated')], ownerOf)).toBe('c');
  expect(dimensionOwner([at('owned-by-a.ts', 'verified'), at('owned-by-b.ts', 'unknown')], ownerOf)).toBe('b');
  expect(dimensionOwner([at('owned-by-a.ts', 'verified')], ownerOf)).toBe('a');
});

it('names the owner with most first, and three at most', () => {
  const files = ['x/owned-by-a.ts', 'owned-by-b.ts', 'y/owned-by-b.ts', 'owned-by-c.ts', 'owned-by-d.ts', 'owned-by-e.ts'];
  expect(dimensionOwner(files.map((file) => at(file, 'violated')), ownerOf)).toBe('b, a, c and 2 more');
});

it('names nobody where nobody owns, and where nothing was judged', () => {
  expect(dimensionOwner([at('free.ts', 'violated')], ownerOf)).toBeUndefined();
  expect(dimensionOwner([], ownerOf)).toBeUndefined();
});
