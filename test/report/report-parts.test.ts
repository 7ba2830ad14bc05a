import { describe, expect, it } from 'vitest';
import { closureConditions } from '../../src/report/closure.js';
import { excerptsOf } from '../../src/report/excerpt.js';
import { firstSteps } from '../../src/report/first-steps.js';
import { lockFindings, lockSheet } from '../../src/report/lock-sheet.js';
import { acceptedFindings, openFindings } from '../../src/report/open-findings.js';
import { protocolMatrix } from '../../src/report/protocol-matrix.js';
import { secondWorker } from '../../src/report/second-worker.js';
import { glance } from '../../src/report/sheet-words.js';
import type { Finding, ReviewSite } from '../../src/review/types.js';
import { sampleReview } from './sample-review.js';

function finding(parts: Partial<Finding>): Finding {
  const [first] = sampleReview().findings;
  if (first === undefined) throw new Error('the sample has findings');
  return { ...first, severity: 'error', certainty: 'certain', ...parts };
}

describe('openFindings', () => {
  it('leaves out what somebody answers for, and puts what a change brought first', () => {
    const findings = [
      finding({ id: 'f1', change: 'old' }),
      finding({ id: 'f2', change: 'new', severity: 'warning' }),
      finding({ id: 'f3', exception: 'x1' }),
      finding({ id: 'f4', baseline: true }),
      finding({ id: 'f5', change: 'new' }),
    ];
    expect(openFindings({ findings }).map(({ id }) => id)).toEqual(['f5', 'f2', 'f1']);
    expect(acceptedFindings({ findings }).map(({ id }) => id)).toEqual(['f3', 'f4']);
  });
});

describe('firstSteps', () => {
  it('is one thing a rule, the most urgent first, and none for accepted findings', () => {
    const findings = [
      finding({ id: 'f1', rule: 'b', certainty: 'likely' }), finding({ id: 'f2', rule: 'a', severity: 'warning' }), finding({ id: 'f3', rule: 'b' }),
      finding({ id: 'f4', rule: 'c', exception: 'x1' }),
    ];
    expect(firstSteps({ findings }).map(({ rule, worst, findings: all }) => [rule, worst.id, all.map(({ id }) => id)])).toEqual([['b', 'f3', ['f3', 'f1']], ['a', 'f2', ['f2']]]);
  });
});

describe('secondWorker', () => {
  const review = sampleReview();
  const rival = 'src/api|v2/steps.ts:40:5';
  const step = (role: Finding['witness'][number]['role']): Finding['witness'][number] => ({ file: 'a.ts', line: 1, column: 1, role, note: '' });

  it('names the function, the place and how it is entered', () => {
    expect(secondWorker(finding({ conflictsWith: rival, witness: [] }), review)).toBe('`finish` at `src/api|v2/steps.ts:40:5`, entered by queue');
  });

  it('names the moment where the path has one: between the read and the write after it', () => {
    const witness = [step('enter'), step('read'), step('test'), step('write')];
    expect(secondWorker(finding({ conflictsWith: rival, witness }), review)).toBe('between step 2 and step 4: `finish` at `src/api|v2/steps.ts:40:5`, entered by queue');
    expect(secondWorker(finding({ witness: [step('write'), step('read')] }), { ...review })).toBe('as the message says');
  });

  it('gives the bare place for a site that the review does not hold', () => {
    expect(secondWorker(finding({ conflictsWith: 'x.ts:1:1', witness: [] }), review)).toBe('`x.ts:1:1`');
  });
});

describe('excerptsOf', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const step = (file: string, line: number): Finding['witness'][number] => ({ file, line, column: 1, role: 'await', note: '' });
  const shape = (found: Finding): unknown => excerptsOf(found, (file) => (file === 'gone.ts' ? undefined : lines))
    .map(({ file, runs }) => [file, runs.map((run) => [run[0]?.number, run.at(-1)?.number, run.flatMap(({ steps }) => steps.map(({ number }) => number))])]);

  it('shows the lines around each step, files in the order of the path, near runs as one', () => {
    expect(shape(finding({ file: 'a.ts', line: 20, witness: [step('b.ts', 5), step('a.ts', 20), step('b.ts', 1), step('a.ts', 26), step('b.ts', 38)] }))).toEqual([
      ['b.ts', [[1, 7, [3, 1]], [36, 40, [5]]]],
      ['a.ts', [[18, 28, [2, 4]]]],
    ]);
  });

  it('shows the place of the finding when no step stands there', () => {
    expect(shape(finding({ file: 'a.ts', line: 30, witness: [step('b.ts', 5)] }))).toEqual([['b.ts', [[3, 7, [1]]]], ['a.ts', [[28, 32, []]]]]);
  });

  it('has no lines of a file that cannot be read, and none beyond its end', () => {
    expect(shape(finding({ file: 'gone.ts', line: 1, witness: [step('a.ts', 99)] }))).toEqual([['a.ts', []], ['gone.ts', []]]);
  });

  it('cuts a long line to the part around the place', () => {
    const long = `${'a'.repeat(5000)}HERE${'b'.repeat(5000)}`;
    const [excerpt] = excerptsOf(finding({ file: 'a.ts', line: 1, column: 5001, witness: [] }), () => [long]);
    const [line] = excerpt?.runs[0] ?? [];
    expect(line?.cut).toBe(true);
    expect(line?.text).toBe(`\u2026${'a'.repeat(120)}HERE${'b'.repeat(276)}\u2026`);
  });
});

describe('protocolMatrix', () => {
  it('has the rules that apply somewhere, and a cell for each', () => {
    expect(protocolMatrix(sampleReview(), 10).map(({ title, rules, rows }) => [title, rules, rows.map(({ cells }) => cells)])).toEqual([
      ['Acquisitions', ['require-release', 'require-ttl'], [['unknown', 'violated']]],
      ['State writes', ['require-cas'], [['violated'], ['verified']]],
    ]);
  });

  it('keeps what has most to answer for when there are too many places, in their order', () => {
    const [first] = sampleReview().sites;
    if (first === undefined) throw new Error('the sample has sites');
    const site = (id: string, status: 'verified' | 'violated' | 'unknown'): ReviewSite => ({ ...first, id, outcomes: { rule: { status, evidence: [] } } });
    const [group] = protocolMatrix({ sites: [site('a', 'verified'), site('b', 'unknown'), site('c', 'verified'), site('d', 'violated')] }, 2);
    expect([group?.rows.map(({ site: { id } }) => id), group?.leftOff]).toEqual([['b', 'd'], 2]);
  });
});

describe('lockSheet', () => {
  const review = sampleReview();
  const [lock] = review.locks;
  if (lock === undefined) throw new Error('the sample has a lock');

  it('has the ten parameters of the skill, and says unknown for what nobody knows', () => {
    const sheet = lockSheet({ ...lock, owner: 'unknown', ttl: 'unknown', renewal: 'unknown', onContention: 'unknown', onOutage: 'unknown', events: 'unknown', acquirers: [], protects: [] }, review);
    expect(sheet.map(({ name }) => name)).toEqual([
      'Step identifier', 'Owner', 'TTL', 'Guard', 'Allowed transitions', 'Store behaviour', 'Retry policy', 'Failure behaviour', 'Event names', 'Verification cases',
    ]);
    expect(Object.fromEntries(sheet.map(({ name, entries }) => [name, entries]))).toMatchObject({
      'Owner': ['unknown'], 'TTL': ['unknown'], 'Guard': ['unknown'], 'Allowed transitions': ['unknown'], 'Retry policy': ['unknown'], 'Failure behaviour': ['unknown'], 'Event names': ['unknown'],
    });
  });

  it('names the finding of a violation, and the guard and the row of the writes under the lock', () => {
    const targets = review.targets.map((target) => ({ ...target, writers: target.writers.map((writer) => ({ ...writer, lock: `acquire(${lock.keyTemplate})`, site: 'w' })) }));
    const [, write] = review.sites;
    if (write === undefined) throw new Error('the sample has a write');
    const sites = [...review.sites, { ...write, id: 'w', file: lock.file }];
    const sheet = Object.fromEntries(lockSheet(lock, { ...review, sites, targets }).map(({ name, entries }) => [name, entries]));
    expect(sheet['TTL']).toContain('violated (`require-ttl`): f2');
    expect(sheet['Guard']).toEqual(['`step`, grade 1 (2 writes)']);
    expect(sheet['Step identifier']).toEqual(['key `step:${id}`', 'row of `step` by `id`']);
    // What stops the write is the second line: V5 is asked for.
    expect(sheet['Verification cases']?.map((entry) => entry.slice(0, 2))).toEqual(['V1', 'V2', 'V3', 'V5', 'V6']);
  });
});

describe('lockFindings', () => {
  it('are those where the lock is taken and where the same function frees it, not those of another function', () => {
    const review = sampleReview();
    const [lock] = review.locks;
    const [acquire] = review.sites;
    if (lock === undefined || acquire === undefined) throw new Error('the sample has a lock');
    const release = (id: string, name: string): ReviewSite => (
      { ...acquire, id, name, subject: 'L', facts: { subject: 'L', api: 'DEL', key: lock.keyTemplate, owner: 'unknown', ownerCheck: 'none' } }
    );
    const findings = ['acquire', 'own', 'other'].map((id) => finding({ id, site: id === 'acquire' ? acquire.id : id }));
    const sites = [...review.sites, release('own', acquire.name), release('other', 'elsewhere')];
    expect(lockFindings(lock, { ...review, sites, findings }).map(({ id }) => id)).toEqual(['acquire', 'own']);
  });
});

describe('closureConditions', () => {
  it('holds only when nothing is open, violated, unknown, expired or unfinished', () => {
    const review = sampleReview();
    const done = {
      ...review, findings: [], errors: [], exceptions: [],
      skill: review.skill.map((row) => ({ ...row, status: 'verified' as const })),
      dimensions: review.dimensions.map((row) => ({ ...row, status: 'verified' as const })),
      verification: review.verification.map((row) => ({ ...row, status: 'not-applicable' as const })),
    };
    expect(closureConditions(done).map(({ open }) => open)).toEqual(['', '', '', '', '', '']);
    const open = closureConditions({
      ...done,
      findings: [finding({ id: 'f1' }), finding({ id: 'f2', exception: 'x1' }), finding({ id: 'f3', baseline: true })],
      skill: done.skill.map((row, at) => (at === 0 ? { ...row, status: 'violated' as const } : row)),
      verification: done.verification.map((row, at) => (at === 0 ? { ...row, status: 'unknown' as const } : row)),
      exceptions: [{ id: 'x1', rule: 'r', file: 'a.ts', line: 1, source: 'comment', status: 'expired', findings: [] }],
      errors: [{ file: 'a.ts', line: 1, message: 'budget' }],
    });
    expect(open.map((condition) => condition.open)).toEqual(['f1', 'R1', 'V1', 'f3', 'x1 (expired)', '1 not judged to the end']);
  });
});

it('leaves out the middle of a long text', () => {
  expect(glance('step:${id}')).toBe('step:${id}');
  expect(glance('a'.repeat(50) + 'b'.repeat(50))).toBe(`${'a'.repeat(36)}\u2026${'b'.repeat(36)}`);
});
