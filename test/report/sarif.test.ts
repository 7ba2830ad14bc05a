import type { Log, Result, Run } from 'sarif';
import { describe, expect, it } from 'vitest';
import type { ReportRule } from '../../src/report/report-rule.js';
import { sarif } from '../../src/report/sarif.js';
import type { Finding, Review } from '../../src/review/types.js';
import { changedReview, SOURCES } from './changed-review.js';
import { sampleReview } from './sample-review.js';

const rules: readonly ReportRule[] = [
  { id: 'require-ttl', skill: 'R3', dimension: 'D2', family: 'lock-use', profile: 'recommended', summary: 'A TTL.', validation: ['V3'], page: '# require-ttl\n', address: 'https://example.org/require-ttl' },
  { id: 'require-cas', skill: 'R6', dimension: 'D3', family: 'state', profile: 'strict', summary: 'A guard.', validation: [] },
];
const options = { source: (file: string) => SOURCES[file], rules };

function runOf(review: Review, given: Parameters<typeof sarif>[1] = options): Run {
  const log: Log = JSON.parse(sarif(review, given));
  const [run] = log.runs;
  if (run === undefined) throw new Error('no run');
  return run;
}

function resultOf(review: Review, rule: string, given = options): Result {
  const found = runOf(review, given).results?.find(({ ruleId }) => ruleId === rule);
  if (found === undefined) throw new Error(`no result of ${rule}`);
  return found;
}

it('is the review in the words of SARIF', () => {
  const named = { ...sampleReview(), findings: sampleReview().findings.map((finding) => ({ ...finding, fingerprint: `print of ${finding.id}` })) };
  expect(sarif(named, { ...options, pathPrefix: 'packages/jobs/' })).toMatchInlineSnapshot(`
    "{
      "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        {
          "tool": {
            "driver": {
              "name": "step-lock",
              "version": "1.2.3",
              "semanticVersion": "1.2.3",
              "rules": [
                {
                  "id": "require-ttl",
                  "name": "RequireTtl",
                  "shortDescription": {
                    "text": "A TTL."
                  },
                  "fullDescription": {
                    "text": "A TTL."
                  },
                  "help": {
                    "text": "A TTL.\\nSkill R3: put a TTL on every lock. Dimension D2: lease renewal and expiry.\\nTo validate a mend, V3: TTL expiry after a crash.",
                    "markdown": "# require-ttl\\n"
                  },
                  "helpUri": "https://example.org/require-ttl",
                  "defaultConfiguration": {
                    "enabled": true,
                    "level": "error"
                  },
                  "properties": {
                    "tags": [
                      "concurrency",
                      "distributed-lock",
                      "lock-use",
                      "skill/R3",
                      "dimension/D2",
                      "external/cwe/cwe-667"
                    ],
                    "precision": "high",
                    "problem.severity": "error"
                  }
                },
                {
                  "id": "require-cas",
                  "name": "RequireCas",
                  "shortDescription": {
                    "text": "A guard."
                  },
                  "fullDescription": {
                    "text": "A guard."
                  },
                  "help": {
                    "text": "A guard.\\nSkill R6: keep a durable compare-and-swap as second line. Dimension D3: stale-owner fencing."
                  },
                  "defaultConfiguration": {
                    "enabled": false,
                    "level": "warning"
                  },
                  "properties": {
                    "tags": [
                      "concurrency",
                      "distributed-lock",
                      "state",
                      "skill/R6",
                      "dimension/D3",
                      "external/cwe/cwe-667"
                    ],
                    "precision": "medium",
                    "problem.severity": "warning"
                  }
                }
              ]
            }
          },
          "automationDetails": {
            "id": "step-lock/packages/jobs/"
          },
          "language": "en-US",
          "columnKind": "utf16CodeUnits",
          "originalUriBaseIds": {
            "%SRCROOT%": {
              "description": {
                "text": "The top folder of the repository."
              }
            }
          },
          "invocations": [
            {
              "executionSuccessful": true,
              "toolExecutionNotifications": [
                {
                  "level": "error",
                  "message": {
                    "text": "Not judged to the end: budget spent"
                  },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "packages/jobs/src/big.ts",
                          "uriBaseId": "%SRCROOT%"
                        },
                        "region": {
                          "startLine": 5
                        }
                      }
                    }
                  ]
                },
                {
                  "level": "note",
                  "message": {
                    "text": "2 files not judged: test code."
                  }
                },
                {
                  "level": "note",
                  "message": {
                    "text": "1 file not judged: not UTF-8 text."
                  }
                }
              ]
            }
          ],
          "results": [
            {
              "ruleId": "require-cas",
              "ruleIndex": 1,
              "level": "warning",
              "message": {
                "text": "the lock a|b <c> *d* is broken To do: Mend it."
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "packages/jobs/src/api%7Cv2/steps.ts",
                      "uriBaseId": "%SRCROOT%"
                    },
                    "region": {
                      "startLine": 40,
                      "startColumn": 5,
                      "endLine": 40,
                      "endColumn": 15
                    }
                  },
                  "logicalLocations": [
                    {
                      "fullyQualifiedName": "finish",
                      "kind": "function"
                    }
                  ]
                }
              ],
              "partialFingerprints": {
                "stepLockFingerprint/v1": "print of f1"
              },
              "properties": {
                "certainty": "likely",
                "skill": "R6",
                "dimension": "D3",
                "validation": [
                  "V5"
                ]
              }
            },
            {
              "ruleId": "require-ttl",
              "ruleIndex": 0,
              "level": "error",
              "message": {
                "text": "the lock \`step:\${id}\` is broken To do: Pass \`PX\` with a time. Second worker: [src/api|v2/steps.ts:40](1)."
              },
              "locations": [
                {
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "packages/jobs/src/worker.ts",
                      "uriBaseId": "%SRCROOT%"
                    },
                    "region": {
                      "startLine": 2,
                      "startColumn": 9,
                      "endLine": 2,
                      "endColumn": 19
                    }
                  },
                  "logicalLocations": [
                    {
                      "fullyQualifiedName": "Worker.run",
                      "kind": "function"
                    }
                  ]
                }
              ],
              "codeFlows": [
                {
                  "threadFlows": [
                    {
                      "locations": [
                        {
                          "location": {
                            "physicalLocation": {
                              "artifactLocation": {
                                "uri": "packages/jobs/src/worker.ts",
                                "uriBaseId": "%SRCROOT%"
                              },
                              "region": {
                                "startLine": 2,
                                "startColumn": 3
                              }
                            },
                            "message": {
                              "text": "acquire: no TTL"
                            }
                          },
                          "kinds": [
                            "acquire"
                          ],
                          "importance": "essential"
                        },
                        {
                          "location": {
                            "physicalLocation": {
                              "artifactLocation": {
                                "uri": "packages/jobs/src/worker.ts",
                                "uriBaseId": "%SRCROOT%"
                              },
                              "region": {
                                "startLine": 3,
                                "startColumn": 3
                              }
                            },
                            "message": {
                              "text": "await: a crash here leaves \`step:\${id}\` for good"
                            }
                          },
                          "kinds": [
                            "await"
                          ],
                          "importance": "essential"
                        },
                        {
                          "location": {
                            "physicalLocation": {
                              "artifactLocation": {
                                "uri": "packages/jobs/src/lib/work.ts",
                                "uriBaseId": "%SRCROOT%"
                              },
                              "region": {
                                "startLine": 120,
                                "startColumn": 3
                              }
                            },
                            "message": {
                              "text": "call"
                            }
                          },
                          "kinds": [
                            "call"
                          ],
                          "importance": "essential"
                        }
                      ]
                    }
                  ]
                }
              ],
              "relatedLocations": [
                {
                  "id": 1,
                  "physicalLocation": {
                    "artifactLocation": {
                      "uri": "packages/jobs/src/api%7Cv2/steps.ts",
                      "uriBaseId": "%SRCROOT%"
                    },
                    "region": {
                      "startLine": 40,
                      "startColumn": 5
                    }
                  },
                  "message": {
                    "text": "the second worker: finish"
                  }
                }
              ],
              "partialFingerprints": {
                "stepLockFingerprint/v1": "print of f2"
              },
              "properties": {
                "certainty": "certain",
                "skill": "R3",
                "dimension": "D2",
                "validation": [
                  "V3"
                ]
              }
            }
          ],
          "properties": {
            "verdict": "not-ready",
            "profile": "recommended",
            "configDigest": "abc123",
            "filesJudged": 3
          }
        }
      ]
    }
    "
  `);
});

describe('the review of a change', () => {
  it('says of each result whether it is new, unchanged or absent', () => {
    expect(runOf(changedReview()).results?.map(({ ruleId, baselineState }) => [ruleId, baselineState])).toEqual([
      ['require-cas', 'new'], ['require-ttl', 'new'], ['require-release', 'unchanged'], ['require-cas', 'unchanged'], ['require-cas', 'unchanged'], ['no-floating-lock', 'absent'],
    ]);
  });

  it('says nothing of that in an audit', () => {
    expect(JSON.stringify(runOf(sampleReview()))).not.toContain('baselineState');
  });

  it('suppresses what somebody has answered for, and says of the others that nobody has', () => {
    expect(runOf(changedReview()).results?.map(({ suppressions }) => suppressions)).toEqual([
      [], [], [],
      [{
        kind: 'inSource', status: 'accepted', justification: 'one writer only', properties: { owner: 'ann', expires: '2027-03-01' },
        location: { physicalLocation: { artifactLocation: { uri: 'src/api%7Cv2/steps.ts', uriBaseId: '%SRCROOT%' }, region: { startLine: 49 } } },
      }],
      [{ kind: 'external', status: 'accepted', justification: 'accepted by the baseline of the adoption' }],
      [],
    ]);
  });

  it('links the changed line that brought a finding', () => {
    const { message, relatedLocations } = resultOf(changedReview(), 'require-cas');
    expect(message.text).toMatch(/ Brought by: \[src\/worker\.ts:3\]\(1\)\.$/);
    expect(relatedLocations).toMatchObject([{ id: 1, message: { text: 'the caller no longer takes `step:1`' }, physicalLocation: { region: { startLine: 3 } } }]);
  });
});

describe('a place', () => {
  it('of many lines is told by its first: GitHub wants all lines in the diff', () => {
    expect(resultOf(changedReview(), 'require-release').locations?.[0]?.physicalLocation?.region).toEqual({ startLine: 1, startColumn: 19, endLine: 1, endColumn: 39 });
    expect(resultOf(changedReview(), 'require-release', { ...options, source: () => undefined }).locations?.[0]?.physicalLocation?.region).toEqual({ startLine: 1, startColumn: 19, endLine: 1 });
  });

  it('has its path percent-encoded', () => {
    expect(resultOf(changedReview(), 'require-release').locations?.[0]?.physicalLocation?.artifactLocation).toEqual({ uri: 'src/gr%C3%B6%C3%9Fe%20100%25.ts', uriBaseId: '%SRCROOT%' });
    expect(sarif({ ...sampleReview(), findings: sampleReview().findings.map((finding) => ({ ...finding, file: 'a/\uD800#?:.ts' })) }, options)).toContain('"a/%EF%BF%BD%23%3F%3A.ts"');
  });

  it('beside the working directory is told from the top of the repository', () => {
    const beside = { ...sampleReview(), findings: sampleReview().findings.map((finding) => ({ ...finding, file: '../lib/lock.ts' })) };
    expect(sarif(beside, { ...options, pathPrefix: 'packages/jobs/' })).toContain('"uri": "packages/lib/lock.ts"');
  });
});

it('text is text: what looks like a link or a placeholder is none', () => {
  expect(resultOf(changedReview(), 'require-release').message.text).toBe('old of `arr\\[0](1)` and {{0}} To do: Pass `PX` with a time. Second worker: [src/api|v2/steps.ts:40](1).');
});

it('a fix is told by lines and columns', () => {
  expect(resultOf(changedReview(), 'require-release').fixes).toMatchObject([{
    artifactChanges: [{ replacements: [{ deletedRegion: { startLine: 1, startColumn: 24, endLine: 1, endColumn: 38 }, insertedContent: { text: 'release(key, owner)' } }] }],
  }]);
});

it('fingerprints carry our own name, never the one that GitHub computes', () => {
  expect(resultOf(sampleReview(), 'require-ttl').partialFingerprints).toEqual({ 'stepLockFingerprint/v1': expect.any(String) });
  expect(sarif(changedReview(), options)).not.toContain('primaryLocationLineHash');
});

it('names each rule once, also one that it was told nothing of', () => {
  const described = runOf(changedReview()).tool.driver.rules ?? [];
  expect(described.map(({ id }) => id)).toEqual(['require-ttl', 'require-cas', 'no-floating-lock', 'require-release']);
  expect(described[0]).toMatchObject({ helpUri: 'https://example.org/require-ttl', help: { markdown: '# require-ttl\n' }, defaultConfiguration: { enabled: true, level: 'error' } });
  expect(described[1]).toMatchObject({ defaultConfiguration: { enabled: false, level: 'warning' } });
  const results = runOf(changedReview()).results ?? [];
  expect(results.every(({ ruleIndex = -1, ruleId }) => described[ruleIndex]?.id === ruleId)).toBe(true);
});

describe('limits of code scanning', () => {
  it('25,000 results: the most urgent are kept, and a note says how many are not', () => {
    const [warning, error] = sampleReview().findings;
    if (warning === undefined || error === undefined) throw new Error('the sample has lost its findings');
    const findings = [...Array.from({ length: 25_000 }, (): Finding => ({ ...warning, witness: [] })), { ...error, id: 'last' }];
    const { results, invocations } = runOf({ ...sampleReview(), findings });
    expect(results).toHaveLength(25_000);
    expect(results?.[0]?.ruleId).toBe('require-ttl');
    expect(invocations?.[0]?.toolExecutionNotifications?.[0]).toEqual({ level: 'warning', message: { text: '1 result left out: GitHub takes 25000 a run. The json report holds all.' } });
  });

  it('1,000 steps: the last says how many follow', () => {
    const review = sampleReview();
    const step = { file: 'a.ts', line: 1, column: 1, role: 'call', note: '' } as const;
    const findings = review.findings.map((finding) => ({ ...finding, witness: Array.from({ length: 1_200 }, () => step) }));
    const locations = resultOf({ ...review, findings }, 'require-ttl').codeFlows?.[0]?.threadFlows[0]?.locations ?? [];
    expect(locations).toHaveLength(1_000);
    expect(locations.at(-1)?.location?.message?.text).toBe('201 more steps are in the json report');
  });

  it('10 tags a rule, 1,024 characters a description', () => {
    const [first] = rules;
    if (first === undefined) throw new Error('no rule');
    const [described] = runOf(sampleReview(), { ...options, rules: [{ ...first, summary: 'x'.repeat(5_000) }] }).tool.driver.rules ?? [];
    expect(described?.shortDescription?.text).toHaveLength(1_024);
    expect(described?.properties?.tags?.length).toBeLessThanOrEqual(10);
  });
});
