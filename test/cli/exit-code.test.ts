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

const accepted = { ...reviews.error, findings: reviews.error.findings.map((f) => ({ ...f, exception: 'x1' })) };
const inBaseline = { ...reviews.error, findings: reviews.error.findings.map((f) => ({ ...f, baseline: true as const })) };
const withException = (status: Review['exceptions'][number]['status']): Review => ({ ...reviews.clean, exceptions: [{ id: 'x1', rule: 'require-cas', file: 'a.ts', line: 1, source: 'comment', status, findings: [] }] });

it.each([['accepted', accepted], ['held by the baseline', inBaseline]])('a finding that is %s does not count', (_, review) => {
  expect(exitCode(review, { failOn: 'warning', maxWarnings: 0, requireJudged: false })).toBe(0);
});

it.each([['active', 0], ['expiring', 0], ['expired', 1], ['unused', 1], ['incomplete', 1]] as const)('an exception that is %s counts as %i warnings', (status, warnings) => {
  expect(exitCode(withException(status), { failOn: 'warning', requireJudged: false })).toBe(warnings);
  expect(exitCode(withException(status), { failOn: 'error', requireJudged: false })).toBe(0);
  expect(exitCode(withException(status), { failOn: 'error', maxWarnings: 0, requireJudged: false })).toBe(warnings);
});

it.each([
  ['warning', 'error', 0, 1], ['warning', 'error', 1, 0], ['warning', 'never', 0, 1], ['warning', 'warning', 1, 1], ['error', 'error', 0, 1], ['error', 'never', 0, 0], ['clean', 'never', 0, 0],
] as const)('a review with %s, --fail-on %s, --max-warnings %i exits with %i', (review, failOn, maxWarnings, expected) => {
  expect(exitCode(reviews[review], { failOn, maxWarnings, requireJudged: false })).toBe(expected);
});
