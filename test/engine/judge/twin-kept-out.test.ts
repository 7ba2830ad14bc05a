import { describe, expect, it } from 'vitest';
import { said } from './said.js';

const HEAD = `import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Worker } from 'bullmq';
import { orders, jobs, tasks } from './schema.js';
const db = drizzle(process.env.URL!);
declare const bank: { pay(id: string): Promise<string> };
`;
const worker = (body: string): string => `${HEAD}export const worker = new Worker('payments', async ({ data: { id, parts } }) => {\n${body}\n});\n`;

describe('a second run of the same code', () => {
  const inTransaction = (first: string): string => worker(`  await db.transaction(async (tx) => {
    ${first}
    const [job] = await tx.select().from(jobs).where(eq(jobs.orderId, id));
    if (job.status !== 'running') return;
    await bank.pay(id);
    await tx.update(jobs).set({ status: 'done', receipt: await bank.pay(id) }).where(eq(jobs.orderId, id));
  });`);

  it('waits for the row that its transaction writes first', () => {
    expect(said(inTransaction('await tx.update(orders).set({ touched: true }).where(eq(orders.id, id));')).at(-1)).toBe('a second run waits in its transaction for a row that this one writes first, and who else comes between is not in sight');
    expect(said(inTransaction('await tx.select().from(orders).where(eq(orders.id, id));')).at(-1)).toBe('violated');
    expect(said(inTransaction('await tx.update(orders).set({ touched: true }).where(eq(orders.id, parts));')).at(-1)).toBe('violated');
  });

  it('does not wait where that row is written on some ways only, or is another one', () => {
    expect(said(inTransaction('if (parts.length > 0) await tx.update(orders).set({ touched: true }).where(eq(orders.id, id));')).at(-1)).toBe('violated');
    expect(said(inTransaction('await tx.update(orders).set({ touched: true }).where(and(eq(orders.shop, id), eq(orders.id, parts)));')).at(-1)).toBe('violated');
  });

  it('has its own row where the id was inserted in this run, in a transaction too', () => {
    const run = (insert: string): string => worker(`  const jobId = newId();
  ${insert}
  const receipt = await bank.pay(id);
  await db.transaction(async (tx) => {
    await tx.update(jobs).set({ status: 'done', receipt }).where(eq(jobs.id, jobId));
  });`);
    expect(said(run("await db.insert(jobs).values({ id: jobId, status: 'running' });")).at(-1)).toBe('the row was made or claimed here, and who else can reach it yet is not in sight');
    expect(said(run('')).at(-1)).toBe('violated');
  });
});

describe('a value of the row that was read', () => {
  const merge = (choose: string, value: string): string => worker(`  const rows = await db.select().from(tasks).where(eq(tasks.ownerId, id));
  const known = new Set(rows.map((r) => r.id));
  for (const part of ${choose}) {
    await bank.pay(part.id);
    await db.update(tasks).set({ progress: ${value}, updatedAt: new Date() }).where(eq(tasks.id, part.id));
  }`);

  it('is no value that was only chosen by it', () => {
    expect(said(merge('parts.filter((p) => known.has(p.id))', 'part.progress'))).not.toContain('violated');
    expect(said(merge('rows', '{ ...part.progress, [id]: 1 }'))).toContain('violated');
  });
});

describe('a second run that puts the same values', () => {
  const text = (end: string): string => `${HEAD}
async function fail(id: string): Promise<void> {
  const [job] = await db.select().from(jobs).where(eq(jobs.id, id));
  if (job.status !== 'running') return;
  ${end}
  await bank.pay(id);
}
export const worker = new Worker('payments', async ({ data: { id } }) => { await fail(id); await bank.pay(id); });
`;
  const write = "await db.update(jobs).set({ status: 'failed' }).where(eq(jobs.id, id));";

  it('does nothing of the work after it where the function is left at once', () => {
    expect(said(text(`if (job.expired) { ${write} return; }`))[0]).not.toBe('violated');
    expect(said(text(write))[0]).toBe('violated');
  });
});
