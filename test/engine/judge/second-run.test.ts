import { describe, expect, it } from 'vitest';
import { said } from './said.js';

const PRISMA = "import { Worker } from 'bullmq';\nimport { prisma } from './db.js';\ndeclare const bank: { pay(id: string): Promise<void>; isOpen(id: string): Promise<boolean> };\n";
const ALIKE = 'two runs of one input end alike unless one of them fails, and what else is lost is not in sight';

describe('two ends of one run', () => {
  const worker = (first: string, last: string): string => `${PRISMA}
export const worker = new Worker('payments', async ({ data: { id } }) => {
  if (!(await bank.isOpen(id))) {
    await prisma.paymentJob.update({ where: { id }, data: { status: '${first}' } });
    return;
  }
  await bank.pay(id);
  await prisma.paymentJob.update({ where: { id }, data: { status: '${last}' } });
});
`;

  it.each([
    ['that found nothing to do, over a failure', worker('cancelled', 'failed'), [ALIKE, 'violated']],
    ['both without a failure', worker('skipped', 'completed'), [ALIKE, ALIKE]],
    ['a success over a failure', worker('failed', 'completed'), ['violated', 'violated']],
  ])('%s', (_, text, outcomes) => { expect(said(text)).toEqual(outcomes); });
});

describe('a gate that lets one run pass', () => {
  const worker = (heeds: string): string => `${PRISMA}
export const worker = new Worker('conversions', async ({ data: { id, jobId } }) => {
  const { count } = await prisma.account.updateMany({ where: { id, convertedAt: null }, data: { convertedAt: new Date() } });
  ${heeds}
  const receipt = await bank.pay(id);
  await prisma.paymentJob.update({ where: { id: jobId }, data: { status: 'completed', receipt } });
});
`;

  it('leaves no second run where who misses leaves, and any where the answer is dropped', () => {
    expect(said(worker('if (count === 0) return;')).at(-1)).toBe('a claim before it lets one run pass, here or in its callers, and who else takes the row is not in sight');
    expect(said(worker('console.log(count);')).at(-1)).toBe('violated');
  });
});
