import { expect, it } from 'vitest';
import { configDigest } from '../../src/review/config-digest.js';

it('does not depend on the order of keys', () => {
  expect(configDigest({ a: 1, b: { c: 2, d: 3 } })).toBe(configDigest({ b: { d: 3, c: 2 }, a: 1 }));
});

it.each([
  ['a list order', { a: [1, 2] }, { a: [2, 1] }],
  ['a regular expression', { a: /x/ }, { a: /y/ }],
  ['a set', { a: new Set(['x']) }, { a: new Set(['y']) }],
  ['a map', { a: new Map([['x', 1]]) }, { a: new Map([['x', 2]]) }],
])('changes with %s', (_, one, other) => {
  expect(configDigest(one)).not.toBe(configDigest(other));
  expect(configDigest(one)).toMatch(/^[0-9a-f]{64}$/);
});
