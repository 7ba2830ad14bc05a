import { expect, it } from 'vitest';
import { gitlab } from '../../src/report/gitlab.js';
import { changedReview } from './changed-review.js';
import { hostileChange } from './hostile-change.js';

it('is one entry a finding that nobody has answered for', () => {
  expect(gitlab(changedReview(), { pathPrefix: 'packages/jobs/' })).toMatchInlineSnapshot(`
    "[
      {
        "description": "the lock a|b <c> *d* is broken To do: Mend it.",
        "check_name": "require-cas",
        "fingerprint": "00000000000000000001",
        "severity": "minor",
        "location": {
          "path": "packages/jobs/src/api|v2/steps.ts",
          "lines": {
            "begin": 40,
            "end": 40
          }
        }
      },
      {
        "description": "the lock \`step:\${id}\` is broken To do: Pass \`PX\` with a time.",
        "check_name": "require-ttl",
        "fingerprint": "00000000000000000002",
        "severity": "critical",
        "location": {
          "path": "packages/jobs/src/worker.ts",
          "lines": {
            "begin": 2,
            "end": 2
          }
        }
      },
      {
        "description": "old of \`arr[0](1)\` and {0} To do: Pass \`PX\` with a time.",
        "check_name": "require-release",
        "fingerprint": "00000000000000000003",
        "severity": "critical",
        "location": {
          "path": "packages/jobs/src/größe 100%.ts",
          "lines": {
            "begin": 1,
            "end": 2
          }
        }
      }
    ]
    "
  `);
});

it('tells equal fingerprints apart: GitLab hides the second', () => {
  const entries: { fingerprint: string }[] = JSON.parse(gitlab(hostileChange(), {}));
  expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(entries.length);
  expect(entries.at(-1)?.fingerprint).toBe('00000000000000000001-2');
});
