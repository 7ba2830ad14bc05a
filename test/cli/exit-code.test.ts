import { expect, it } from 'vitest';
import { exitCode, type Bar } from '../../src/cli/exit-code.js';
import type { Review } from '../../src/review/types.js';
import { place, transition, violated } from '../review/sample-analysis.js';
import { reviewOf } from '../report/sample-review.js';

const at = place('src/a.ts', 1);
const reviews = {
  error: reviewOf({ sites: [transition(at, { 'require-cas': violated(at) })] }),
  warning: reviewOf({ sites: [transition(at, { 'require-cas': violated(at, { certainty: 'likely' }) })] }),
  clean: reviewOf({ sites: [transition(at, {})] }),
  nothing: reviewOf({}),
} satisfies Record<string, Review>;

it.each([
  ['error', 'error', false, 1], ['error', 'warning', false, 1], ['error', 'never', false, 0],
  ['warning', 'error', false, 0], ['warning', 'warning', false, 1], ['warning', 'never', false, 0],
  ['clean', 'warning', false, 0], ['clean', 'warning', true, 0],
  ['nothing', 'error', false, 0], ['nothing', 'error', true, 2], ['nothing', 'never', true, 2],
] as const)('a review with %s, --fail-on %s, require-judged %s exits with %i', (review, failOn, requireJudged, expected) => {
  expect(exitCode(reviews[review], { failOn, requireJudged } satisfies Bar)).toBe(expected);
});
