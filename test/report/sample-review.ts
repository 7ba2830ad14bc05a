import { assembleReview, type ReviewOptions } from '../../src/review/assemble-review.js';
import type { Analysis } from '../../src/engine/judge/site.js';
import type { Review } from '../../src/review/types.js';
import { OPTIONS, RULES, acquisition, analysis, place, step, transition, unknown, verified, violated } from '../review/sample-analysis.js';

/** The source that the sample's findings point into. */
export const SOURCES: Readonly<Record<string, string>> = {
  'src/worker.ts': [
    'export async function run(redis: Redis, id: string) {',
    '  await redis.set(`step:${id}`, owner, "NX");',
    '  await work(id);',
    '}',
    '',
  ].join('\n'),
};

/** A review with one of everything a report shows. */
export function sampleReview(): Review {
  const acquire = place('src/worker.ts', 2, 9);
  const write = place('src/api|v2/steps.ts', 40, 5);
  const sites = [
    acquisition(acquire, {
      'require-ttl': violated(acquire, {
        data: { what: '`step:${id}`' },
        witness: [step('src/worker.ts', 2, 'acquire', 'no TTL'), step('src/worker.ts', 3, 'await', 'a crash here leaves `step:${id}` for good'), step('src/lib/work.ts', 120, 'call', '')],
        action: 'Pass `PX` with a time.',
        conflictsWith: '/home/someone/shop/src/api|v2/steps.ts:40:5',
      }),
      'require-release': unknown('Does `work` free the lock?', 'policy.onOutage'),
    }),
    transition(write, { 'require-cas': violated(write, { certainty: 'likely', data: { what: 'a|b <c> *d*' } }) }),
    transition(place('src/ok.ts', 3), { 'require-cas': verified(place('src/ok.ts', 3)) }),
  ];
  return reviewOf({
    sites,
    wrappers: 1,
    lookAlikes: [{ place: place('src/ui.ts', 7), name: 'setStatus', why: 'no durable store', configLine: "targets: [{ name: 'ui' }]" }],
    targets: [{
      name: 'step', states: ['open', 'done'], transitions: ['any -> done'], conflicts: [[sites[1]?.id ?? '', sites[2]?.id ?? '']],
      writers: sites.slice(1).map(({ id }) => ({ site: id, actor: 'queue', from: 'any', to: 'done', guard: 'grade 1', lock: 'none' })),
    }],
    locks: [{
      id: 'x', place: acquire, keyTemplate: 'step:${id}', owner: 'owner', ttl: 'none', renewal: 'none', release: 'never', onContention: 'goes on', onOutage: 'throws', events: 'none',
      scope: 'manual', acquirers: sites.slice(0, 1).map(({ id }) => id), protects: ['step'],
    }],
    errors: [{ file: '/home/someone/shop/src/big.ts', line: 5, message: 'budget spent' }],
  }, { filesSkipped: [{ file: 'a.test.ts', reason: 'test code' }, { file: 'b.test.ts', reason: 'test code' }, { file: 'old.js', reason: 'not UTF-8 text' }] });
}

export function reviewOf(parts: Partial<Analysis>, options: Partial<ReviewOptions> = {}): Review {
  return assembleReview(analysis(parts), RULES, { ...OPTIONS, ...options });
}
