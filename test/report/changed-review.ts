import type { Finding, Review } from '../../src/review/types.js';
import { SOURCES as SAMPLE_SOURCES, sampleReview } from './sample-review.js';

/** A file with non-ASCII text before a finding, and a file whose name has to be encoded. */
export const SOURCES: Readonly<Record<string, string>> = {
  ...SAMPLE_SOURCES,
  'src/größe 100%.ts': "const ä𐐀 = 'ö'; await redis.del(key);\nawait next();\n",
};

/** The sample as the review of a change: one new finding, one that an untouched file got, an old one, accepted ones, and what the change did. */
export function changedReview(): Review {
  const sample = sampleReview();
  const [write, acquire] = sample.findings;
  if (write === undefined || acquire === undefined) throw new Error('the sample has lost its findings');
  const at = SOURCES['src/worker.ts']?.indexOf('"NX"') ?? 0;
  const findings: Finding[] = [
    { ...write, fingerprint: '00000000000000000001', change: 'new', causedBy: { file: 'src/worker.ts', line: 3, note: 'the caller no longer takes `step:1`' }, owner: '@acme/steps' },
    { ...acquire, fingerprint: '00000000000000000002', change: 'new', fix: { title: 'Set an expiry with `PX`.', edits: [{ start: at, end: at, text: '"PX", 30000, ' }] } },
    {
      ...acquire, id: 'f3', rule: 'require-release', change: 'old', file: 'src/größe 100%.ts', line: 1, column: 19, endLine: 2, endColumn: 7, fingerprint: '00000000000000000003',
      message: 'old of `arr[0](1)` and {0}', witness: [], fix: { title: 'Compare.', edits: [{ start: 23, end: 37, text: 'release(key, owner)' }] },
    },
    { ...write, id: 'f4', change: 'old', exception: 'x1', fingerprint: '00000000000000000004', line: 50, endLine: 50 },
    { ...write, id: 'f5', change: 'old', baseline: true, fingerprint: '00000000000000000005', line: 60, endLine: 60 },
  ];
  return {
    ...sample,
    scope: { ...sample.scope, commit: 'c0ffee0000000000000000000000000000000001', base: 'main', asOf: '2026-12-01' },
    findings,
    exceptions: [{
      id: 'x1', rule: 'require-cas', file: 'src/api|v2/steps.ts', line: 49, source: 'comment', owner: 'ann', reason: 'one writer only', expires: '2027-03-01', status: 'active', findings: ['f4'],
    }],
    change: {
      base: 'main', mergeBase: 'ba5e000000000000000000000000000000000002', filesChanged: 3, new: 2, old: 3,
      fixed: [{ rule: 'no-floating-lock', skill: 'R1', severity: 'error', certainty: 'certain', file: 'src/gone.ts', line: 7, message: 'the lock `x` was dropped', fingerprint: '00000000000000000006' }],
      protocol: [
        { subject: 'step:${id}', kind: 'lock', what: 'TTL 30 s to 5 s', effect: 'weaker', file: 'src/worker.ts', line: 2 },
        { subject: 'step', kind: 'target', what: 'guard added in `finish`', effect: 'stronger', file: 'src/ok.ts', line: 3 },
      ],
    },
  };
}
