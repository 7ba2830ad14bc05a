import { describe, expect, it } from 'vitest';
import { code, prose, table } from '../../src/report/markdown-text.js';
import { markdown } from '../../src/report/markdown.js';
import { place, transition, violated } from '../review/sample-analysis.js';
import { hostileReview } from './hostile-review.js';
import { reviewOf, sampleReview } from './sample-review.js';

it('is a document to hand over: verdict, findings, targets, locks, rows, questions, boundaries', () => {
  expect(markdown(sampleReview())).toMatchInlineSnapshot(`
    "# Lock and state review

    **Verdict: not-ready.** 1 error and 1 warning to mend or to answer for (profile recommended).

    ## Do first

    1. **error, certain: require-ttl** (f2) at \`src/worker.ts:2\`. the lock \`step:\${id}\` is broken
    2. **warning, likely: require-cas** (f1) at \`src/api|v2/steps.ts:40\`. the lock a|b \\<c\\> \\*d\\* is broken

    ## Scope

    - 3 files judged (40 more hold no word of a lock or a state): 3 places, 1 lock, 1 wrapper, 2 state writes.
    - Findings: 1 error and 1 warning, profile \`recommended\`.
    - Rows of the skill, the dimensions and the verification cases that are violated: R3, R6, D2, D3; unknown: R1, R2, R4, R5, R7, F1, F2, F3, F4, D1, D4, D5, V1, V2, V3, V4, V5, V6, V7, V8.
    - Tool: step-lock 1.2.3, configuration \`abc123\`.

    ## Findings, most urgent first

    ### f2 \`require-ttl\` at \`src/worker.ts:2:9\`

    **error**, certain, R3, D2. the lock \`step:\${id}\` is broken

    1. **acquire** \`worker.ts:2\` no TTL
    2. **await** \`worker.ts:3\` a crash here leaves \`step:\${id}\` for good
    3. **call** \`src/lib/work.ts:120\`

    - Do: Pass \`PX\` with a time.
    - Second worker: \`finish\` at \`src/api|v2/steps.ts:40:5\`, entered by queue
    - Owner: nobody is named
    - Validate: V3 TTL expiry after a crash
    - Fingerprint: \`0e349e870cf80ae29d98\`

    ### f1 \`require-cas\` at \`src/api|v2/steps.ts:40:5\`

    **warning**, likely, R6, D3. the lock a|b \\<c\\> \\*d\\* is broken

    - Do: Mend it.
    - Second worker: as the message says
    - Owner: nobody is named
    - Validate: V5 compare-and-swap failure
    - Fingerprint: \`ec3587de853d25dd188f\`

    ## State targets and who writes them

    A guard is what the condition of the write compares. Grades 0 to 2 keep no rival out (only the row is chosen, or it has to exist), 3 is a weak guard (some states are shut out), 4 and 5 are a compare-and-swap (the expected state, or a version).

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

    | Lock | Where | Key | Owner | TTL | Protects | Findings |
    | --- | --- | --- | --- | --- | --- | --- |
    | l1 | \`src/worker.ts:2\` | \`step:\${id}\` | \`owner\` | none | \`step\` | f2 |

    <details>
    <summary>l1 step:\${id} at src/worker.ts:2: the ten parameters</summary>

    | Parameter | What is seen |
    | --- | --- |
    | Step identifier | key \`step:\${id}\` |
    | Owner | \`owner\` |
    | TTL | none<br>violated (\`require-ttl\`): f2<br>renewal: none |
    | Guard | unknown |
    | Allowed transitions | \`step\`: \`any -> done\` |
    | Store behaviour | taken by \`redis.set\`, which answers 'OK'<br>release: never |
    | Retry policy | when it is taken: goes on |
    | Failure behaviour | when the store is away: throws<br>unknown (\`require-release\`): Does \`work\` free the lock? |
    | Event names | none |
    | Verification cases | V1 two concurrent workers: unknown, no test of this case was looked for<br>V2 owner mismatch on release: unknown, no test of this case was looked for<br>V3 TTL expiry after a crash: unknown, no test of this case was looked for<br>V5 compare-and-swap failure: unknown, no test of this case was looked for<br>V6 store outage: unknown, no test of this case was looked for |

    </details>

    ## Open questions

    1 answer settles 1 of 1 unknown:

    1. Does \`work\` free the lock? Settles 1 unknown: \`src/worker.ts:2:9\`. Say: \`policy: { onOutage: 'fail-closed' }\`.

    ## Protocol matrix

    Every judged place against every rule that judges its kind: ✗ violated, ? unknown, ✓ verified, · does not apply.

    <details>
    <summary>Acquisitions: 1 place, 2 rules</summary>

    | Place | In | \`require-release\` | \`require-ttl\` |
    | --- | --- | --- | --- |
    | \`src/worker.ts:2:9\` | \`Worker.run\` | ? | ✗ |

    </details>

    <details>
    <summary>State writes: 2 places, 1 rule</summary>

    | Place | In | \`require-cas\` |
    | --- | --- | --- |
    | \`src/api\\|v2/steps.ts:40:5\` | \`finish\` | ✗ |
    | \`src/ok.ts:3:3\` | \`finish\` | ✓ |

    </details>

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

    | Dimension | Status | Evidence | Current | Expected | Difference | Owner | Validated by |
    | --- | --- | --- | --- | --- | --- | --- | --- |
    | D1 lock identity and ownership | unknown | no place of this dimension was seen | nothing judged | lock identity and ownership: no rule judges it yet | unknown | nobody is named |  |
    | D2 lease renewal and expiry | violated | 1 outcome at 1 place | 0 verified, 1 violated, 0 unknown | require-ttl verified at every place | require-ttl: 1 violated, 0 unknown | nobody is named | V3 |
    | D3 stale-owner fencing | violated | 2 outcomes at 2 places | 1 verified, 1 violated, 0 unknown | require-cas verified at every place | require-cas: 1 violated, 0 unknown | nobody is named | V5 |
    | D4 release and retry | unknown | 1 outcome at 1 place | 0 verified, 0 violated, 1 unknown | require-release verified at every place | require-release: 0 violated, 1 unknown | nobody is named | V1, V3 |
    | D5 recovery and validation | unknown | no place of this dimension was seen | nothing judged | require-lock-events verified at every place | unknown | nobody is named |  |

    ## Evidence boundaries

    This review reads source text. It ran no code, looked at no database and at no deployment.

    - Read and without a word of a lock or a state: 40 files.
    - Not judged, test code: \`a.test.ts\`, \`b.test.ts\`.
    - Not judged, not UTF-8 text: \`old.js\`.

    Places that resemble a lock or a state write and were judged by nothing, each with the config line that declares it:

    - \`src/ui.ts:7\` \`setStatus\`: no durable store To have it judged: \`targets: [{ name: 'ui' }]\`

    Not judged to the end:

    - \`src/big.ts:5\` budget spent

    ## Closure rule

    This review may be closed when every line below holds. A row that stays open needs an exception with an owner, a reason and a date on which it ends. Nothing is closed on a label, a comment or a merged change: only a later run that judges the same place and no longer finds the fault closes a finding.

    | Must hold | Now |
    | --- | --- |
    | No finding is open | open: f1, f2 |
    | No row of the skill, of the dimensions or of the verification cases is violated | open: R3, R6, D2, D3 |
    | No such row is unknown: what nobody has looked at is not shown to be right | open: R1, R2, R4, R5, R7, F1, F2, F3, F4, D1, D4, D5, V1, V2, V3, V4, V5, V6, V7, V8 |
    | What the baseline accepted is mended or has an exception | holds |
    | Every exception has an owner, a reason and a date, and none has expired | holds |
    | Every part of the code was judged to the end | open: 1 not judged to the end |
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

describe('a review of a change', () => {
  const change = {
    base: 'main', mergeBase: '0123456789abcdef', filesChanged: 3, new: 1, old: 1,
    fixed: [{ rule: 'require-ttl', skill: 'R3', severity: 'error', certainty: 'certain', file: 'src/old.ts', line: 7, message: 'It had no TTL.', fingerprint: 'x' }],
    protocol: [{ subject: 'step:${id}', kind: 'lock', what: 'TTL 30 s to 5 s', effect: 'weaker', file: 'src/lock.ts', line: 3 }],
  } as const;
  const [old, added] = sampleReview().findings;
  if (old === undefined || added === undefined) throw new Error('the sample has two findings');
  const review = {
    ...sampleReview(),
    change,
    findings: [
      { ...old, severity: 'error' as const, change: 'old' as const },
      { ...added, change: 'new' as const, owner: '@core', causedBy: { file: 'src/caller.ts', line: 9, note: 'the lock was dropped here' } },
    ],
  };

  it('says what it did to the protocol and what it mended, and puts what it brought first', () => {
    const report = markdown(review);
    expect(report).toContain([
      '## What the change did',
      '',
      '| Protocol of | Moved | Effect | Where |',
      '| --- | --- | --- | --- |',
      '| `step:${id}` | TTL 30 s to 5 s | **weaker** | `src/lock.ts:3` |',
      '',
      'Mended, places as they were in the base:',
      '',
      '- `require-ttl` at `src/old.ts:7`: It had no TTL.',
      '',
    ].join('\n'));
    expect(report.split('\n').slice(4, 8)).toEqual([
      'Against `main` (merge base `0123456789ab`): 3 files changed; 1 finding is new, 1 was there before, 1 is mended. The protocol moved in 1 point, 1 of them weaker.',
      '',
      '## Do first',
      '',
    ]);
    expect(report).toContain('1. **new error, certain: require-ttl** (f2)');
    expect(report.indexOf('### f2')).toBeLessThan(report.indexOf('### f1'));
    expect(report).toContain('**error**, certain, R3, D2, new. ');
    expect(report).toContain('- Brought by `src/caller.ts:9`: the lock was dropped here\n- Owner: @core\n');
  });

  it('lists accepted findings behind the open ones, and who accepted them', () => {
    const exception = { id: 'x1', rule: 'require-cas', file: 'src/a.ts', line: 1, source: 'comment', owner: '@core', reason: 'one worker', expires: '2027-03-01', status: 'expiring', findings: ['f1'] } as const;
    const report = markdown({ ...review, findings: review.findings.map((finding) => (finding.id === 'f1' ? { ...finding, exception: 'x1' } : finding)), exceptions: [exception] });
    expect(report).toContain('### Accepted');
    expect(report).toContain(', old, accepted by x1. ');
    expect(report).toContain('| x1 | **expiring** | `require-cas` | @core | 2027-03-01 | one worker | `src/a.ts:1` | f1 |');
    expect(report.slice(0, report.indexOf('## Scope'))).not.toContain('require-cas');
  });
});

it('folds what comes after the ten most urgent findings', () => {
  const [finding] = sampleReview().findings;
  if (finding === undefined) throw new Error('the sample has findings');
  const report = markdown({ ...sampleReview(), findings: Array.from({ length: 13 }, (_, at) => ({ ...finding, id: `f${at + 1}` })) });
  expect(report.match(/^### f\d+ /gm)).toHaveLength(10);
  expect(report).toContain('3 more findings, folded:\n\n<details>\n<summary>f11 warning, likely: require-cas at src/api|v2/steps.ts:40</summary>\n\n**warning**');
});

it('keeps hostile text from being markup, and shows what is not seen', () => {
  const report = markdown(hostileReview());
  const outsideCode = report.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
  expect(outsideCode.match(/(?<!\\)<[a-z/!][^>]*>/gi)?.filter((tag) => !/^<(?:\/?details|\/?summary|br)>$/.test(tag))).toEqual([]);
  expect(report).not.toMatch(/[\u200b\u202e\u2066\u0000\u001b]/);
  expect(report).toContain('[U+202E]');
});
