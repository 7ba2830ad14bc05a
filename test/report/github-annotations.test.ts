import { expect, it } from 'vitest';
import { githubAnnotations } from '../../src/report/github-annotations.js';
import type { Finding, Review } from '../../src/review/types.js';
import { changedReview } from './changed-review.js';
import { hostileChange } from './hostile-change.js';
import { sampleReview } from './sample-review.js';

it('is a command a finding, errors first', () => {
  expect(githubAnnotations(sampleReview(), { pathPrefix: 'packages/a, b/' })).toMatchInlineSnapshot(`
    "::error file=packages/a%2C b/src/worker.ts,line=2,endLine=2,col=9,endColumn=19,title=step-lock require-ttl::the lock \`step:\${id}\` is broken To do: Pass \`PX\` with a time.
    ::warning file=packages/a%2C b/src/api|v2/steps.ts,line=40,endLine=40,col=5,endColumn=15,title=step-lock require-cas::the lock a|b <c> *d* is broken To do: Mend it.
    "
  `);
});

it('shows what a change brought, and says how much was there before', () => {
  expect(githubAnnotations(changedReview(), {}).split('\n').map((line) => line.slice(0, 70))).toMatchInlineSnapshot(`
    [
      "::error file=src/worker.ts,line=2,endLine=2,col=9,endColumn=19,title=s",
      "::warning file=src/api|v2/steps.ts,line=40,endLine=40,col=5,endColumn=",
      "::notice title=step-lock::1 finding was there before this change.",
      "",
    ]
  `);
});

it('shows ten errors and ten warnings, and says how many more there are', () => {
  const lines = githubAnnotations(many(15, 12), {}).trimEnd().split('\n');
  expect(lines.map((line) => /^::\w+/.exec(line)?.[0])).toEqual([...Array.from({ length: 10 }, () => '::error'), ...Array.from({ length: 10 }, () => '::warning'), '::notice']);
  expect(lines.at(-1)).toBe('::notice title=step-lock::7 more findings are not shown here: GitHub keeps 10 errors and 10 warnings a step.');
});

it('gives columns of places on one line only', () => {
  const [finding] = sampleReview().findings;
  if (finding === undefined) throw new Error('the sample has lost its findings');
  const long = githubAnnotations({ ...sampleReview(), findings: [{ ...finding, endLine: finding.line + 2 }] }, {});
  expect(long).toMatch(/line=40,endLine=42,title=/);
});

it('cannot be made to give another command by what the source says', () => {
  const lines = githubAnnotations(hostileChange(), {}).trimEnd().split('\n');
  expect(lines.every((line) => /^::(?:error|warning|notice) [^:]*::/.test(line) && !line.includes('\r'))).toBe(true);
  expect(lines).toHaveLength(12);
  expect(lines[0]).toContain('%250A,:%2525');
});

function many(errors: number, warnings: number): Review {
  const review = sampleReview();
  const [finding] = review.findings;
  if (finding === undefined) throw new Error('the sample has lost its findings');
  const of = (severity: Finding['severity'], count: number): Finding[] => Array.from({ length: count }, (_, at) => ({ ...finding, severity, line: at + 1, endLine: at + 1 }));
  return { ...review, findings: [...of('warning', warnings), ...of('error', errors)] };
}
