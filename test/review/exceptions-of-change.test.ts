import { expect, it } from 'vitest';
import { exceptionsOfChange } from '../../src/review/open-findings.js';
import type { ReviewException } from '../../src/review/types.js';

const STATUSES = ['active', 'expiring', 'expired', 'unused', 'incomplete'] as const satisfies readonly ReviewException['status'][];

const all = STATUSES.map((status, at): ReviewException => (
  { id: `x${String(at + 1)}`, rule: 'require-ttl', file: 'src/a.ts', line: at + 1, source: 'comment', status, ...(status === 'active' ? {} : { problem: 'it is' }), findings: [] }
));

it('an unrelated change hears of no exception that needs attention, nor that one ends soon', () => {
  expect(exceptionsOfChange(all, () => false).map(({ id, status, problem }) => [id, status, problem])).toEqual([['x1', 'active', undefined], ['x2', 'active', undefined]]);
});

it('a change hears of the exceptions that it writes', () => {
  expect(exceptionsOfChange(all, (file, line) => file === 'src/a.ts' && line !== 3).map(({ id }) => id)).toEqual(['x1', 'x2', 'x4', 'x5']);
  expect(exceptionsOfChange(all, () => true)).toEqual(all);
});
