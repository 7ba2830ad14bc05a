import { expect, it } from 'vitest';
import { json } from '../../src/report/json.js';
import { sampleReview } from './sample-review.js';

it('is the review itself, two spaces deep, with a last newline', () => {
  const report = json(sampleReview());
  expect(JSON.parse(report)).toEqual(sampleReview());
  expect(report).toMatch(/^\{\n {2}"schemaVersion": 1,\n/);
  expect(report.endsWith('}\n')).toBe(true);
});
