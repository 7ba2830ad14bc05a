import { describe, expect, it } from 'vitest';
import { said } from './said.js';

const HEAD = `import { and, eq, ne } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { jobs, parts } from './schema.js';
const db = drizzle(process.env.URL!);
declare const bank: { pay(id: string): Promise<void>; load(id: string): Promise<string> };
`;
const RULE = 'no-ignored-cas-result';
const END = "await tx.update(jobs).set({ status: 'done' }).where(and(eq(jobs.id, id), eq(jobs.status, 'running')));";

describe('a guarded write whose answer is dropped', () => {
  const inTransaction = (before: string, after = 'await bank.pay(id);'): string => `${HEAD}
export async function end(id: string): Promise<void> {
  await db.transaction(async (tx) => {
    ${before}
    ${END}
    ${after}
  });
}
`;

  it.each([
    ['is found fault with before work', '', 'await bank.pay(id);', 'violated'],
    ['and whose row a read has locked and asked', "const [job] = await tx.select().from(jobs).where(and(eq(jobs.id, id), eq(jobs.status, 'running'))).for('update');\n    if (!job) return;", 'await bank.pay(id);', 'verified'],
    ['and whose row a read has locked alone', 'const [job] = await tx.select().from(jobs).where(eq(jobs.id, id)).for(\'update\');', 'await bank.pay(id);', 'violated'],
    ['before a query', '', 'const left = await tx.select().from(parts).where(eq(parts.jobId, id)).limit(1);\n    console.log(left);', 'verified'],
    ['before a write that asks for itself', '', "await tx.update(parts).set({ status: 'done' }).where(and(eq(parts.id, id), eq(parts.status, 'running')));", 'verified'],
  ])('%s', (_, before, after, status) => { expect(said(inTransaction(before, after), RULE)[0]).toBe(status); });

  it('says nothing of rows that no id of their own chooses', () => {
    const end = (where: string): string => `${HEAD}export async function end(id: string): Promise<void> {\n  await db.update(parts).set({ status: 'failed' }).where(and(${where}, eq(parts.status, 'running')));\n  await bank.pay(id);\n}\n`;
    expect(said(end('eq(parts.id, id)'), RULE)).toEqual(['violated']);
    expect(said(end('eq(parts.jobId, id)'), RULE)).not.toContain('violated');
  });
});

describe('a claim by a condition that shuts out its own state', () => {
  const claim = (shut: string): string => `${HEAD}
export async function run(id: string): Promise<void> {
  const rows = await db.update(jobs).set({ status: 'running' }).where(and(eq(jobs.id, id), ne(jobs.status, '${shut}'))).returning();
  if (rows.length === 0) return;
  await bank.pay(id);
  await db.update(jobs).set({ status: 'done' }).where(and(eq(jobs.id, id), eq(jobs.status, 'running')));
}
`;

  it('is taken by one at a time', () => {
    expect(said(claim('running'))[0]).toBe('one at a time takes the row, and whether a finished one may be taken again is not in sight');
    expect(said(claim('done'))[0]).toBe('violated');
  });
});

describe('a claim that is one of several promises', () => {
  const run = (leave: string): string => `${HEAD}
export async function run(id: string): Promise<void> {
  const job = await db.query.jobs.findFirst({ where: eq(jobs.id, id) });
  const [[claimed], account] = await Promise.all([
    db.update(jobs).set({ status: 'running' }).where(and(eq(jobs.id, id), eq(jobs.status, 'queued'))).returning(),
    bank.load(id),
  ]);
  ${leave}
  await bank.pay(account);
  await db.update(jobs).set({ status: 'done' }).where(eq(jobs.id, id));
}
`;

  it('lets one run pass where who misses leaves', () => {
    expect(said(run('if (!claimed) return;')).at(-1)).not.toBe('violated');
    expect(said(run('console.log(claimed);')).at(-1)).toBe('violated');
  });
});
