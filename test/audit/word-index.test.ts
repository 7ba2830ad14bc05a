import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWordIndex, wordsOf } from '../../src/audit/word-index.js';
import { holdsWord } from '../../src/engine/syntax/holds-word.js';

it('a search for one name finds what the words of the text hold', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '2', '$', '_', ' ', '.', 'é'), maxLength: 30 });
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '2', '$'), minLength: 1, maxLength: 3 });
  fc.assert(fc.property(text, name, (one, word) => {
    expect(holdsWord(one, word)).toBe(wordsOf(one).has(word));
  }), { numRuns: 2_000 });
});

it('the first names are searched for, later ones looked up, with the same answers', () => {
  const texts = new Map([['/a.ts', 'one two 2three four'], ['/b.ts', 'two threes $four'], ['/c.ts', 'three.one']]);
  let reads = 0;
  const mentioning = createWordIndex([...texts.keys()], (path) => {
    reads += 1;
    return texts.get(path);
  });
  const ask = (): unknown => Object.fromEntries(['one', 'two', 'three', 'four', 'five', 'threes', '$four', 'constructor'].map((name) => [name, mentioning(name)]));
  const first = ask();
  expect(first).toEqual({ one: ['/a.ts', '/c.ts'], two: ['/a.ts', '/b.ts'], three: ['/a.ts', '/c.ts'], four: ['/a.ts'], five: [], threes: ['/b.ts'], $four: ['/b.ts'], constructor: [] });
  const before = reads;
  expect(ask()).toEqual(first);
  expect(reads).toBe(before);
});
