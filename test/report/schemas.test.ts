import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { reportRules } from '../../src/cli/report-options.js';
import { formats, type ReportOptions } from '../../src/report/formats.js';
import type { Review } from '../../src/review/types.js';
import { changedReview, SOURCES } from './changed-review.js';
import { hostileChange } from './hostile-change.js';
import { reviewOf, sampleReview } from './sample-review.js';

const options: ReportOptions = { color: false, source: (file) => SOURCES[file], rules: reportRules(rules), pathPrefix: 'packages/a b/' };

const REVIEWS: readonly (readonly [string, Review])[] = [
  ['the sample', sampleReview()], ['the review of a change', changedReview()], ['an empty review', reviewOf({})], ['a hostile review', hostileChange()],
];

describe.each(REVIEWS)('%s', (_, review) => {
  it.each([options, { ...options, source: () => undefined, rules: [] }])('is SARIF 2.1.0 by the official schema', (given) => {
    expect(errorsOf(schema('sarif-schema-2.1.0.json'), formats.sarif(review, given))).toEqual([]);
  });

  it.each([options, { ...options, source: () => undefined }])('is rdjson by the schema of reviewdog', (given) => {
    expect(errorsOf(schema('reviewdog-diagnostic-result.json'), formats.rdjson(review, given))).toEqual([]);
  });

  it('is a code quality report by the schema of GitLab and by its documentation', () => {
    const report = formats.gitlab(review, options);
    expect(errorsOf(schema('gitlab-documented.json'), report)).toEqual([]);
    const entry = schema('gitlab-code-quality.json');
    const entries: unknown = JSON.parse(report);
    expect(Array.isArray(entries) && entries.every((one) => entry(one))).toBe(true);
  });
});

describe('the schemas', () => {
  it('refuse what is wrong', () => {
    expect(errorsOf(schema('sarif-schema-2.1.0.json'), '{"version":"2.1.0","runs":[{"tool":{"driver":{}}}]}')).not.toEqual([]);
    expect(errorsOf(schema('sarif-schema-2.1.0.json'), '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"a"}},"originalUriBaseIds":{"A":{"uri":"a b"}}}]}')).not.toEqual([]);
    expect(errorsOf(schema('reviewdog-diagnostic-result.json'), '{"diagnostics":[{"message":1}]}')).not.toEqual([]);
    expect(errorsOf(schema('gitlab-documented.json'), '[{"description":"a"}]')).not.toEqual([]);
  });
});

function errorsOf(check: ValidateFunction, report: string): unknown[] {
  return check(JSON.parse(report)) ? [] : (check.errors ?? ['refused']).slice(0, 5);
}

/** Ajv 8 reads draft 7. Both drafts say the same of these schemas but for the names of their ids. */
function schema(name: string): ValidateFunction {
  const text = readFileSync(new URL(`../schemas/${name}`, import.meta.url), 'utf8');
  const { $schema: _draft, id: _id, ...body }: Record<string, unknown> = JSON.parse(text);
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  return ajv.compile(body);
}
