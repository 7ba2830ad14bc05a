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

describe('a miss after which other work goes on', () => {
  const round = (body: string, after = 'for (const id of later) await bank.pay(id);'): string => `${HEAD}
export async function sweep(ids: string[], later: string[]): Promise<void> {
  for (const id of ids) {
    ${body}
  }
  ${after}
}
`;
  const end = "const rows = await db.update(jobs).set({ status: 'done' }).where(and(eq(jobs.id, id), eq(jobs.status, 'running'))).returning();";

  it('ended its round of the loop by an error', () => {
    expect(said(round(`try { ${end} if (rows.length !== 1) throw new Error('lost'); } catch { console.log(id); }`), RULE)).not.toContain('violated');
    expect(said(round(`try { ${end} console.log(rows.length); } catch { console.log(id); }`), RULE)).toContain('violated');
  });

  it('was in a catch clause that is over', () => {
    const drop = "await db.update(jobs).set({ status: 'failed' }).where(and(eq(jobs.id, id), eq(jobs.status, 'running')));";
    expect(said(round(`try { await bank.pay(id); } catch { ${drop} }`), RULE)).not.toContain('violated');
    expect(said(round(drop), RULE)).toContain('violated');
  });
});

describe('a row that a function gave', () => {
  const text = (handle: string): string => `${HEAD}
declare function current(db: unknown, id: string): Promise<{ id: string }>;
export async function end(id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const job = await current(${handle}, id);
    await tx.update(jobs).set({ status: 'done' }).where(and(eq(jobs.id, job.id), eq(jobs.status, 'running')));
    await bank.pay(id);
  });
}
`;

  it('may be locked where the function was handed the transaction', () => {
    expect(said(text('tx'), RULE)).not.toContain('violated');
    expect(said(text('db'), RULE)).toContain('violated');
  });

  it('is not locked by a function that was handed the database', () => {
    expect(said(`${HEAD}declare function current(db: unknown, id: string): Promise<{ id: string }>;
export async function end(id: string): Promise<void> {
  const job = await current(db, id);
  await db.update(jobs).set({ status: 'done' }).where(and(eq(jobs.id, job.id), eq(jobs.status, 'running')));
  await bank.pay(id);
}
`, RULE)).toContain('violated');
  });
});

describe('a miss that is told from a hit', () => {
  const end = (after: string): string => `${HEAD}
function label(name: string): string { return name.trim().split('-').map((part) => part.toUpperCase()).join(' '); }
export async function end(id: string): Promise<void> {
  let moved = false;
  const rows = await db.update(jobs).set({ status: 'failed' }).where(and(eq(jobs.id, id), eq(jobs.status, 'running'))).returning();
  ${after}
}
`;

  it.each([
    ['is meant, where winners alone note it', 'if (rows.length > 0) moved = true;\n  await bank.pay(id);', false],
    ['is not heeded, where losers alone log it', "if (rows.length === 0) console.warn('lost');\n  await bank.pay(id);", true],
    ['lets nobody do work, where what follows only computes', 'const name = label(id);\n  console.log(name, rows.length);', false],
  ])('%s', (_, after, isFault) => {
    const answers = said(end(after), RULE);
    expect(answers.includes('violated')).toBe(isFault);
  });
});
