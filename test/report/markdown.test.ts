import { describe, expect, it } from 'vitest';
import { code, prose, table } from '../../src/report/markdown-text.js';
import { markdown } from '../../src/report/markdown.js';
import { place, transition, violated } from '../review/sample-analysis.js';
import { reviewOf, sampleReview } from './sample-review.js';

it('is a document to hand over: verdict, findings, targets, locks, rows, questions, boundaries', () => {
  expect(markdown(sampleReview())).toMatchInlineSnapshot(`
    "# Lock and state review

    **Verdict: not-ready.** 1 error and 1 warning to mend or to answer for (profile recommended).

    - Scope: 3 files judged (40 more hold no word of a lock or a state): 3 places, 1 lock, 1 wrapper, 2 state writes.
    - Findings: 1 error and 1 warning, profile \`recommended\`.
    - Tool: step-lock 1.2.3, configuration \`abc123\`.

    ## Findings, most urgent first

    ### f2 \`require-ttl\` at \`src/worker.ts:2:9\`

    **error**, certain, R3, D2. the lock \`step:\${id}\` is broken

    1. **acquire** \`src/worker.ts:2\` no TTL
    2. **await** \`src/worker.ts:3\` a crash here leaves \`step:\${id}\` for good
    3. **call** \`src/lib/work.ts:120\`

    - Second worker: \`src/api|v2/steps.ts:40:5\`
    - Do: Pass \`PX\` with a time.
    - Validate: V3 TTL expiry after a crash
    - Fingerprint: \`0e349e870cf80ae29d98\`

    ### f1 \`require-cas\` at \`src/api|v2/steps.ts:40:5\`

    **warning**, likely, R6, D3. the lock a|b \\<c\\> \\*d\\* is broken

    - Second worker: as the message says
    - Do: Mend it.
    - Validate: V5 compare-and-swap failure
    - Fingerprint: \`ec3587de853d25dd188f\`

    ## State targets and who writes them

    ### t1 \`step\`

    - States: \`open\`, \`done\`
    - Transitions: \`any -> done\`
    - Writers that can overlap: 1 pair

    | Writer | Entered by | From | To | Guard | Lock |
    | --- | --- | --- | --- | --- | --- |
    | \`src/api\\|v2/steps.ts:40:5\` | queue | \`any\` | \`done\` | grade 1 | none |
    | \`src/ok.ts:3:3\` | queue | \`any\` | \`done\` | grade 1 | none |

    | Can overlap | Entered by | With | Entered by |
    | --- | --- | --- | --- |
    | \`src/api\\|v2/steps.ts:40:5\` | queue | \`src/ok.ts:3:3\` | queue |

    ## Locks

    | Lock | Where | Key | Owner | TTL | Renewal | Release | On contention | On outage | Events | Scope | Acquired at | Protects |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | l1 | \`src/worker.ts:2\` | \`step:\${id}\` | \`owner\` | \`none\` | none | never | goes on | throws | none | manual | \`src/worker.ts:2:9\` | t1 |

    ## Skill

    Counted over all outcomes, whatever the profile reports.

    | Row | Asks for | Status | Verified | Violated | Unknown |
    | --- | --- | --- | --- | --- | --- |
    | R1 | acquire the lock before changing step state | unknown | 0 | 0 | 0 |
    | R2 | name the owner on release and extend | unknown | 0 | 0 | 0 |
    | R3 | put a TTL on every lock | violated | 0 | 1 | 0 |
    | R4 | renew the lease for long work | unknown | 0 | 0 | 0 |
    | R5 | reject a release by another owner | unknown | 0 | 0 | 0 |
    | R6 | keep a durable compare-and-swap as second line | violated | 1 | 1 | 0 |
    | R7 | report acquired, contended, extended, released and expired | unknown | 0 | 0 | 0 |
    | F1 | lock unavailable: a retryable result, or wait by policy | unknown | 0 | 0 | 1 |
    | F2 | lock expired during work: stop, or revalidate before the commit | unknown | 0 | 0 | 0 |
    | F3 | compare-and-swap mismatch: do not overwrite; reload and decide | unknown | 0 | 0 | 0 |
    | F4 | lock store down: fail closed | unknown | 0 | 0 | 0 |

    ## Verification cases

    | Case | What a test shows | Status | Evidence |
    | --- | --- | --- | --- |
    | V1 | two concurrent workers | unknown | no test of this case was looked for |
    | V2 | owner mismatch on release | unknown | no test of this case was looked for |
    | V3 | TTL expiry after a crash | unknown | no test of this case was looked for |
    | V4 | extension | unknown | no test of this case was looked for |
    | V5 | compare-and-swap failure | unknown | no test of this case was looked for |
    | V6 | store outage | unknown | no test of this case was looked for |
    | V7 | compensation racing the normal flow | unknown | no test of this case was looked for |
    | V8 | resume racing retry | unknown | no test of this case was looked for |

    ## Dimensions

    | Dimension | Status | Evidence | Current | Expected | Difference | Validated by |
    | --- | --- | --- | --- | --- | --- | --- |
    | D1 lock identity and ownership | unknown | no place of this dimension was seen | nothing judged | lock identity and ownership: no rule judges it yet | unknown |  |
    | D2 lease renewal and expiry | violated | 1 outcome at 1 place | 0 verified, 1 violated, 0 unknown | require-ttl verified at every place | require-ttl: 1 violated, 0 unknown | V3 |
    | D3 stale-owner fencing | violated | 2 outcomes at 2 places | 1 verified, 1 violated, 0 unknown | require-cas verified at every place | require-cas: 1 violated, 0 unknown | V5 |
    | D4 release and retry | unknown | 1 outcome at 1 place | 0 verified, 0 violated, 1 unknown | require-release verified at every place | require-release: 0 violated, 1 unknown | V1, V3 |
    | D5 recovery and validation | unknown | no place of this dimension was seen | nothing judged | require-lock-events verified at every place | unknown |  |

    ## Open questions

    1 answer settles 1 of 1 unknown:

    1. Does \`work\` free the lock? Settles \`src/worker.ts:2:9\`. Say: \`policy: { onOutage: 'fail-closed' }\`.

    ## Evidence boundaries

    This review reads source text. It ran no code, looked at no database and at no deployment.

    - Read and without a word of a lock or a state: 40 files.
    - Not judged, test code: \`a.test.ts\`, \`b.test.ts\`.
    - Not judged, not UTF-8 text: \`old.js\`.

    Places that resemble a lock or a state write and were judged by nothing, each with the config line that declares it:

    - \`src/ui.ts:7\` \`setStatus\`: no durable store To have it judged: \`targets: [{ name: 'ui' }]\`

    Not judged to the end:

    - \`src/big.ts:5\` budget spent
    "
  `);
});

it('says so where nothing was seen', () => {
  const report = markdown(reviewOf({}));
  expect(report).toContain('**Verdict: nothing-seen.**');
  expect(report).toContain('None in this profile.');
  expect(report).toContain('No lock was seen.');
});

it('puts errors before warnings and the surest first', () => {
  const at = (line: number) => place('src/a.ts', line);
  const sites = [
    transition(at(1), { 'require-cas': violated(at(1), { certainty: 'likely' }) }),
    transition(at(2), { 'require-cas': violated(at(2)) }),
    transition(at(3), { 'require-cas': violated(at(3), { secondLine: true }) }),
  ];
  expect(markdown(reviewOf({ sites })).match(/^### f\d/gm)).toEqual(['### f2', '### f3', '### f1']);
});

describe('escaping', () => {
  it.each([
    ['*x* _y_ <b> [z](u) #1', '\\*x\\* \\_y\\_ \\<b\\> \\[z\\](u) \\#1'], ['read `a_b` then *c*', 'read `a_b` then \\*c\\*'],
    ['two\nlines', 'two lines'], ['lone ` tick', 'lone \\` tick'],
  ])('prose(%j)', (raw, expected) => {
    expect(prose(raw)).toBe(expected);
  });

  it.each([['a', '`a`'], ['`step:${id}`', '`` `step:${id}` ``'], ['a``b', '```a``b```'], ['', '`  `'], ['a|b\n c', '`a|b c`']])('code(%j)', (raw, expected) => {
    expect(code(raw)).toBe(expected);
  });

  it('a table escapes pipes, which end a cell even within code', () => {
    expect(table(['a', 'b'], [['x|y', code('p|q')]])).toEqual(['| a | b |', '| --- | --- |', '| x\\|y | `p\\|q` |', '']);
  });

  it('a table without rows is nothing', () => {
    expect(table(['a'], [])).toEqual([]);
  });
});
