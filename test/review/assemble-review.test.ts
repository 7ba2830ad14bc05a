import { describe, expect, it } from 'vitest';
import type { Site } from '../../src/engine/judge/site.js';
import { assembleReview, type ReviewOptions } from '../../src/review/assemble-review.js';
import type { Review } from '../../src/review/types.js';
import { OPTIONS, ROOT, RULES, acquisition, analysis, place, requireCas, requireTtl, step, transition, unknown, verified, violated } from './sample-analysis.js';

const review = (sites: readonly Site[], options: Partial<ReviewOptions> = {}, rules = RULES): Review => assembleReview(analysis({ sites }), rules, { ...OPTIONS, ...options });

describe('paths', () => {
  it('holds no absolute path, whatever the engine put into sentences and ids', () => {
    const at = place('src/worker.ts', 12);
    const broken = acquisition(at, { 'require-ttl': violated(at, { data: { what: `${ROOT}/src/other.ts:4` }, witness: [step('src/worker.ts', 12, 'acquire', `see ${ROOT}/src/a.ts`)], conflictsWith: `${ROOT}/src/b.ts:1:1` }) });
    const whole = assembleReview(
      analysis({
        sites: [broken, transition(place('src/b.ts', 1, 1), { 'require-cas': unknown(`who writes ${ROOT}/src/c.ts?`) })],
        lookAlikes: [{ place: place('src/ui.ts', 3), name: 'setStatus', why: `like ${ROOT}/src/b.ts`, configLine: 'targets: []' }],
        locks: [{ id: 'x', place: at, keyTemplate: 'k', owner: 'o', ttl: 't', renewal: 'r', release: 'l', onContention: 'c', onOutage: 'u', events: 'e', scope: 's', acquirers: [broken.id], protects: ['step', 'other'] }],
        targets: [{ name: 'step', states: ['open', 'done'], transitions: ['any -> done'], writers: [{ site: `${ROOT}/src/b.ts:1:1`, actor: 'queue', from: 'any', to: 'done', guard: 'grade 1', lock: 'none' }], conflicts: [[`${ROOT}/src/b.ts:1:1`, `${ROOT}/src/b.ts:1:1`]] }],
        errors: [{ file: `${ROOT}/src/b.ts`, line: 9, message: `${ROOT}/src/b.ts is hard` }],
      }),
      RULES,
      OPTIONS,
    );
    expect(JSON.stringify(whole)).not.toContain(ROOT);
    expect(whole.locks[0]).toMatchObject({ id: 'l1', file: 'src/worker.ts', line: 12, acquirers: ['src/worker.ts:12:3'], protects: ['t1', 'other'] });
    expect(whole.targets[0]).toEqual({
      id: 't1', name: 'step', states: ['open', 'done'], transitions: ['any -> done'], conflicts: [['src/b.ts:1:1', 'src/b.ts:1:1']],
      writers: [{ site: 'src/b.ts:1:1', actor: 'queue', from: 'any', to: 'done', guard: 'grade 1', lock: 'none' }],
    });
    expect(whole.findings[0]?.conflictsWith).toBe('src/b.ts:1:1');
  });

  it('tells a file outside of the working directory by its way up', () => {
    const at = { ...place('x', 1), file: '/home/someone/lib/lock.ts' };
    expect(review([acquisition(at, { 'require-ttl': violated(at) })]).findings[0]?.file).toBe('../lib/lock.ts');
  });
});

describe('findings', () => {
  it('numbers them by place, fills the message and carries what the rule says', () => {
    const late = place('src/b.ts', 2);
    const early = place('src/a.ts', 30);
    const fix = { title: 'Add a TTL', edits: [{ start: 1, end: 2, text: 'x' }] };
    const { findings } = review([acquisition(late, { 'require-ttl': violated(late) }), acquisition(early, { 'require-ttl': violated(early, { suggestions: [fix] }) })]);
    expect(findings.map(({ id, file }) => [id, file])).toEqual([['f1', 'src/a.ts'], ['f2', 'src/b.ts']]);
    expect(findings[0]).toMatchObject({ rule: 'require-ttl', skill: 'R3', dimension: 'D2', severity: 'error', certainty: 'certain', site: 'src/a.ts:30:3', endColumn: 13, message: 'the lock `step:1` is broken', action: 'Mend it.', validation: ['V3'], fix });
    expect(findings[1]).not.toHaveProperty('fix');
  });

  it('relates findings on one site to each other', () => {
    const at = place('src/a.ts', 1);
    const { findings } = review([acquisition(at, { 'require-ttl': violated(at), 'require-release': violated(place('src/a.ts', 9)) })]);
    expect(findings.map(({ rule, related }) => [rule, related])).toEqual([['require-ttl', ['f2']], ['require-release', ['f1']]]);
  });

  it('leaves out superseded ones, and possible and strict ones unless strict is asked for', () => {
    const at = place('src/a.ts', 1);
    const sites = [
      acquisition(at, { 'require-ttl': violated(at, { supersededBy: 'require-release' }), 'require-lock-events': violated(at) }),
      transition(place('src/a.ts', 5), { 'require-cas': violated(place('src/a.ts', 5), { certainty: 'possible' }) }),
    ];
    expect(review(sites).findings).toEqual([]);
    expect(review(sites, { profile: 'strict' }).findings.map(({ rule }) => rule)).toEqual(['require-lock-events', 'require-cas']);
    expect(review(sites).sites[0]?.outcomes['require-ttl']).toMatchObject({ status: 'violated', supersededBy: 'require-release' });
  });
});

describe('fingerprints', () => {
  const print = (line: number, options: Partial<ReviewOptions> = {}, facts = {}, name = 'Worker.run'): string | undefined => {
    const at = place('src/a.ts', line);
    return review([acquisition(at, { 'require-ttl': violated(at) }, facts, name)], options).findings[0]?.fingerprint;
  };

  it('stay when lines and layout move, and change with function and operation', () => {
    expect(print(1)).toMatch(/^[0-9a-f]{20}$/);
    expect(print(99)).toBe(print(1));
    expect(print(1, {}, { key: 'step:${\n  id}' })).toBe(print(1, {}, { key: 'step:${ id}' }));
    expect(print(1, {}, { key: 'job:${id}' })).not.toBe(print(1));
    expect(print(1, {}, {}, 'Worker.stop')).not.toBe(print(1));
  });

  it('do not depend on the folder the tool was started in', () => {
    const at = place('packages/a/src/x.ts', 1);
    const sites = [acquisition(at, { 'require-ttl': violated(at) })];
    const fromTop = review(sites).findings[0];
    const fromPackage = review(sites, { root: `${ROOT}/packages/a` }).findings[0];
    expect(fromPackage?.file).toBe('src/x.ts');
    expect(fromPackage?.fingerprint).toBe(fromTop?.fingerprint);
  });

  it('tell equal findings of one function apart by their order', () => {
    const [one, two] = [place('src/a.ts', 1), place('src/a.ts', 2)];
    const prints = review([acquisition(one, { 'require-ttl': violated(one) }), acquisition(two, { 'require-ttl': violated(two) })]).findings.map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(2);
    expect(prints[0]).toBe(print(7));
  });
});

describe('rows', () => {
  const at = place('src/a.ts', 1);
  const row = (whole: Review, id: string) => whole.skill.find((entry) => entry.id === id);

  it('are computed from outcomes: superseded and possible violations count', () => {
    const whole = review([
      acquisition(at, { 'require-ttl': violated(at, { supersededBy: 'require-release' }) }),
      acquisition(place('src/a.ts', 2), { 'require-ttl': verified(at) }),
      acquisition(place('src/a.ts', 3), { 'require-ttl': unknown('?'), 'require-release': { status: 'not-applicable' } }),
    ]);
    expect(row(whole, 'R3')).toEqual({ id: 'R3', status: 'violated', verified: 1, violated: 1, unknown: 1 });
    expect(row(whole, 'F1')).toEqual({ id: 'F1', status: 'unknown', verified: 0, violated: 0, unknown: 0 });
  });

  it('are unknown with one unknown outcome, with no outcome, and without a rule', () => {
    const whole = review([acquisition(at, { 'require-ttl': verified(at) }), acquisition(place('src/a.ts', 2), { 'require-ttl': unknown('?') })]);
    expect(row(whole, 'R3')?.status).toBe('unknown');
    expect(row(whole, 'R6')?.status).toBe('unknown');
    expect(row(whole, 'F4')?.status).toBe('unknown');
    expect(whole.skill.map(({ id }) => id)).toEqual(['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'F1', 'F2', 'F3', 'F4']);
  });

  it('are verified when every outcome is', () => {
    expect(row(review([acquisition(at, { 'require-ttl': verified(at) })]), 'R3')).toMatchObject({ status: 'verified', verified: 1 });
  });

  it('tell each dimension what was seen, what is expected and where the two differ', () => {
    const whole = review([acquisition(at, { 'require-ttl': violated(at) }), transition(place('src/a.ts', 4), { 'require-cas': verified(at) })]);
    expect(whole.dimensions).toEqual([
      { id: 'D1', status: 'unknown', evidence: 'no place of this dimension was seen', current: 'nothing judged', expected: 'lock identity and ownership: no rule judges it yet', difference: 'unknown', validation: [] },
      { id: 'D2', status: 'violated', evidence: '1 outcome at 1 place', current: '0 verified, 1 violated, 0 unknown', expected: 'require-ttl verified at every place', difference: 'require-ttl: 1 violated, 0 unknown', validation: ['V3'] },
      { id: 'D3', status: 'verified', evidence: '1 outcome at 1 place', current: '1 verified, 0 violated, 0 unknown', expected: 'require-cas verified at every place', difference: 'none', validation: ['V5'] },
      { id: 'D4', status: 'unknown', evidence: 'no place of this dimension was seen', current: 'nothing judged', expected: 'require-release verified at every place', difference: 'unknown', validation: ['V1', 'V3'] },
      { id: 'D5', status: 'unknown', evidence: 'no place of this dimension was seen', current: 'nothing judged', expected: 'require-lock-events verified at every place', difference: 'unknown', validation: [] },
    ]);
  });

  it('leave every verification case unknown: no test was looked for', () => {
    expect(review([]).verification.map(({ id, status, evidence }) => `${id} ${status} ${evidence}`)).toEqual(
      ['V1', 'V2', 'V3', 'V4', 'V5', 'V6', 'V7', 'V8'].map((id) => `${id} unknown no test of this case was looked for`),
    );
  });
});

describe('verdict', () => {
  const at = place('src/a.ts', 1);
  it.each([
    ['nothing-seen', []],
    ['undecided', [acquisition(at, { 'require-ttl': verified(at) })]],
    ['undecided', [acquisition(at, { 'require-ttl': unknown('?') })]],
    ['not-ready', [acquisition(at, { 'require-ttl': violated(at) })]],
    ['not-ready', [transition(at, { 'require-cas': violated(at, { certainty: 'possible' }) })]],
  ] as const)('is %s', (expected, sites) => {
    expect(review(sites).verdict).toBe(expected);
  });
});

it('asks each question once, the one that settles most first', () => {
  const [one, two, three] = [1, 2, 3].map((line) => place('src/a.ts', line));
  if (one === undefined || two === undefined || three === undefined) throw new Error('three places');
  const { questions } = review([
    acquisition(one, { 'require-ttl': unknown('How long?', 'policy.instances'), 'require-release': unknown('Who frees it?') }),
    acquisition(two, { 'require-ttl': unknown('How long?', 'policy.instances') }),
    acquisition(three, { 'require-ttl': unknown('How long?') }),
  ]);
  expect(questions).toEqual([
    { question: 'How long?', configKey: 'policy.instances', answer: "policy: { instances: 'many' }", unknowns: 2, settles: ['src/a.ts:1:3', 'src/a.ts:2:3'] },
    { question: 'How long?', configKey: '', answer: '', unknowns: 1, settles: ['src/a.ts:3:3'] },
    { question: 'Who frees it?', configKey: '', answer: '', unknowns: 1, settles: ['src/a.ts:1:3'] },
  ]);
});

it('gives two sites at one place ids of their own', () => {
  const at = place('src/a.ts', 1);
  expect(review([acquisition(at, {}), transition(at, {})]).sites.map(({ id }) => id)).toEqual(['src/a.ts:1:3', 'src/a.ts:1:3#2']);
});

it('gives the same bytes for the same input, whatever the order of the outcome keys', () => {
  const at = place('src/a.ts', 1);
  const once = review([acquisition(at, { 'require-ttl': violated(at), 'require-release': verified(at) })], {}, [requireTtl, requireCas]);
  const again = review([acquisition(at, { 'require-release': verified(at), 'require-ttl': violated(at) })], {}, [requireTtl, requireCas]);
  expect(JSON.stringify(again)).toBe(JSON.stringify(once));
});
