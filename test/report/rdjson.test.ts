import { expect, it } from 'vitest';
import { rdjson } from '../../src/report/rdjson.js';
import type { Review } from '../../src/review/types.js';
import { changedReview, SOURCES } from './changed-review.js';

const rules = [{ id: 'require-ttl', skill: 'R3', dimension: 'D2', family: 'lock-use', profile: 'recommended', summary: 'A TTL.', validation: ['V3'], address: 'https://example.org/require-ttl' }] as const;

it('is a diagnostic a finding, with the path as related places and the fix as a suggestion', () => {
  const review = changedReview();
  const one: Review = { ...review, findings: review.findings.filter(({ rule }) => rule === 'require-ttl') };
  expect(rdjson(one, { source: (file) => SOURCES[file], rules })).toMatchInlineSnapshot(`
    "{
      "source": {
        "name": "step-lock"
      },
      "severity": "ERROR",
      "diagnostics": [
        {
          "message": "the lock \`step:\${id}\` is broken To do: Pass \`PX\` with a time.",
          "location": {
            "path": "src/worker.ts",
            "range": {
              "start": {
                "line": 2,
                "column": 9
              },
              "end": {
                "line": 2,
                "column": 19
              }
            }
          },
          "severity": "ERROR",
          "code": {
            "value": "require-ttl",
            "url": "https://example.org/require-ttl"
          },
          "suggestions": [
            {
              "range": {
                "start": {
                  "line": 2,
                  "column": 40
                },
                "end": {
                  "line": 2,
                  "column": 40
                }
              },
              "text": "\\"PX\\", 30000, "
            }
          ],
          "related_locations": [
            {
              "message": "acquire: no TTL",
              "location": {
                "path": "src/worker.ts",
                "range": {
                  "start": {
                    "line": 2,
                    "column": 3
                  },
                  "end": {
                    "line": 2,
                    "column": 3
                  }
                }
              }
            },
            {
              "message": "await: a crash here leaves \`step:\${id}\` for good",
              "location": {
                "path": "src/worker.ts",
                "range": {
                  "start": {
                    "line": 3,
                    "column": 3
                  },
                  "end": {
                    "line": 3,
                    "column": 3
                  }
                }
              }
            },
            {
              "message": "call",
              "location": {
                "path": "src/lib/work.ts",
                "range": {
                  "start": {
                    "line": 120
                  },
                  "end": {
                    "line": 120
                  }
                }
              }
            },
            {
              "message": "the second worker: finish",
              "location": {
                "path": "src/api|v2/steps.ts",
                "range": {
                  "start": {
                    "line": 40
                  },
                  "end": {
                    "line": 40
                  }
                }
              }
            }
          ]
        }
      ]
    }
    "
  `);
});

it('counts columns in UTF-8 bytes', () => {
  // `const ä𐐀 = 'ö'; await redis.del(key);`: ä and ö are two bytes, 𐐀 is four and two units in JavaScript.
  expect(diagnosticOf('require-release', (file) => SOURCES[file])).toMatchObject({
    location: { path: 'src/größe 100%.ts', range: { start: { line: 1, column: 23 }, end: { line: 2, column: 7 } } },
    suggestions: [{ range: { start: { line: 1, column: 28 }, end: { line: 1, column: 42 } }, text: 'release(key, owner)' }],
  });
});

it('tells lines alone where the source cannot be read', () => {
  const diagnostic = diagnosticOf('require-release', () => undefined);
  expect(diagnostic).toMatchObject({ location: { range: { start: { line: 1 }, end: { line: 2 } } } });
  expect(JSON.stringify(diagnostic)).not.toContain('column');
  expect(diagnostic).not.toHaveProperty('suggestions');
});

it('leaves out what somebody has answered for', () => {
  expect(diagnosticOf('require-cas', () => undefined)).toMatchObject({ location: { range: { start: { line: 40 } } } });
  const report: { diagnostics: unknown[] } = JSON.parse(rdjson(changedReview(), { source: () => undefined }));
  expect(report.diagnostics).toHaveLength(3);
});

function diagnosticOf(rule: string, source: (file: string) => string | undefined): unknown {
  const report: { diagnostics: { code: { value: string } }[] } = JSON.parse(rdjson(changedReview(), { source }));
  return report.diagnostics.find(({ code }) => code.value === rule);
}
