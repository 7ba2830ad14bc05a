import { expect, test } from 'vitest';
import { lastExponent, linearFit, median, pairedRatio } from '../../../scripts/bench/statistics.mjs';

test('The median of an odd number is a value, of an even number the mean of two, of none nothing', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 9, 2, 1])).toBe(5.5);
  expect(median([])).toBeUndefined();
});

test('A figure that could not be had does not count', () => {
  expect(median([Number.NaN, 3])).toBe(3);
});

test('The ratio is taken round by round, so that a slow round does not count for one side alone', () => {
  // Each round says 2; the medians of the sides are 20 and 10 only by luck of the rounds, here 22 and 10.
  expect(pairedRatio([2, 22, 200], [1, 11, 100])).toBe(2);
  expect(pairedRatio([4, 40, 8], [1, 10, 10])).toBe(4);
  expect(pairedRatio([1], [])).toBeUndefined();
});

test('A straight line is found with its fixed part, and how far the farthest point lies off', () => {
  expect(linearFit([{ x: 1, y: 5 }, { x: 2, y: 7 }, { x: 4, y: 11 }])).toEqual({ slope: 2, intercept: 3, farthest: 0 });
  expect(linearFit([1, 2, 4, 8].map((x) => ({ x, y: x * x })))?.farthest).toBeGreaterThan(0.3);
  expect(linearFit([{ x: 1, y: 5 }, { x: 1, y: 7 }])).toBeUndefined();
});

test('The last step tells the power that a figure grows with', () => {
  const of = (grow: (x: number) => number): number | undefined => lastExponent([1, 2, 4, 8].map((x) => ({ x, y: grow(x) })));
  expect(of((x) => 3 * x)).toBeCloseTo(1);
  expect(of((x) => x * x)).toBeCloseTo(2);
  expect(lastExponent([{ x: 1, y: 1 }])).toBeUndefined();
});
