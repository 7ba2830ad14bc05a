import { describe, expect, it } from 'vitest';
import { analyseText } from '../../fixtures/front-ends.js';
import { said } from './said.js';

const HEAD = `import { and, eq, isNull, notInArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Worker } from 'bullmq';
import { app } from './app.js';
import { jobs } from './schema.js';
const db = drizzle(process.env.URL!);
declare const bank: { pay(id: string): Promise<string> };
`;
const END = "await db.update(jobs).set({ status: 'done', receipt: await bank.pay(id) }).where(eq(jobs.id, id));";

describe('the ends of one run', () => {
  const workflow = (guard: string, start: string): string => `${HEAD}
async function claim(id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [job] = await tx.select().from(jobs).where(eq(jobs.id, id)).for('update');
    ${guard}
    await tx.update(jobs).set({ status: 'running' }).where(eq(jobs.id, id));
    return true;
  });
}
async function finish(id: string): Promise<void> { ${END} }
async function fail(id: string, error: string): Promise<void> { await db.update(jobs).set({ status: 'failed', error }).where(eq(jobs.id, id)); }
export async function run(id: string): Promise<void> {
  ${start}
  try { await finish(id); } catch (error) { await fail(id, String(error)); }
}
`;
  const claimed = "if (job.status !== 'queued') return false;";

  it('do not meet after a claim that lets one run pass, by the locked row too', () => {
    const answer = (guard: string, start: string): string => said(workflow(guard, start))[1] ?? '';
    expect(answer(claimed, 'if (!(await claim(id))) return;')).toBe('a claim before it lets one run pass, here or in its callers, and who else takes the row is not in sight');
    expect(answer(claimed, 'await claim(id);')).toBe('violated');
    expect(answer('', 'if (!(await claim(id))) return;')).toBe('violated');
  });
});

describe('a rival', () => {
  const told = (rival: string): string => {
    const [site] = analyseText('/p/a.ts', `${HEAD}export const worker = new Worker('payments', async ({ data: { id } }) => {\n  ${END}\n});\n${rival}\n`).sites.filter(({ facts }) => facts.subject === 'T');
    const outcome = site?.outcomes['require-cas'];
    return outcome?.status === 'violated' ? JSON.stringify(outcome.data) : outcome?.status ?? '';
  };
  const sweep = (head: string, where: string): string => `export async function ${head}: Promise<void> {\n  await db.update(jobs).set({ status: 'cancelled' }).where(${where});\n}`;

  it('that runs for no row when the process starts is nobody, and one that is told a row is', () => {
    expect(told(sweep('cancelJobs(id: string)', 'eq(jobs.id, id)'))).toContain('cancel');
    expect(told(sweep('initCancelJobs(id: string)', 'eq(jobs.id, id)'))).toContain('cancel');
    expect(told(sweep('initCancelJobs()', "eq(jobs.status, 'running')"))).not.toContain('cancel');
    expect(told(sweep('cancelJobs()', "eq(jobs.status, 'running')"))).toContain('cancel');
  });

  it('that gives a state to rows without one is nobody', () => {
    expect(told(sweep('cancelJobs(id: string)', 'and(eq(jobs.id, id), isNull(jobs.status))'))).not.toContain('cancel');
  });
});

describe('code that nobody runs', () => {
  it('has no second run', () => {
    const claim = (mark: string): string[] => said(`${HEAD}${mark} async function start(id: string): Promise<void> {\n  const [job] = await db.select().from(jobs).where(eq(jobs.id, id));\n  if (job.status !== 'queued') return;\n  await db.update(jobs).set({ status: 'running' }).where(eq(jobs.id, id));\n  await bank.pay(id);\n}\n`);
    expect(claim('export')).toEqual(['violated']);
    expect(claim('')).toEqual(['nothing calls this code']);
  });
});

describe('a condition', () => {
  const end = (where: string): string[] => said(`${HEAD}export async function end(id: string): Promise<void> {\n  const receipt = await bank.pay(id);\n  await db.update(jobs).set({ status: 'done', receipt }).where(and(eq(jobs.id, id), ${where}));\n}\nexport async function cancel(id: string): Promise<void> { await db.update(jobs).set({ status: 'cancelled' }).where(eq(jobs.id, id)); }\nexport async function fail(id: string): Promise<void> { await db.update(jobs).set({ status: 'failed' }).where(eq(jobs.id, id)); }\n`);

  it('that shuts out several states may mean to leave the others in', () => {
    expect(end("notInArray(jobs.status, ['done', 'cancelled'])")[0]).toBe('only some states of status are excluded');
    expect(end("notInArray(jobs.status, ['done'])")[0]).toBe('violated');
    expect(said(`${HEAD}const CLOSED = ['cancelled', 'failed'];\nexport async function end(id: string): Promise<void> {\n  await db.update(jobs).set({ status: 'done' }).where(and(eq(jobs.id, id), notInArray(jobs.status, ['done', ...CLOSED])));\n}\n`)[0]).toBe('verified');
  });

  it('on a flag beside a time that is written is one that somebody else moves', () => {
    const stop = (where: string): string[] => said(`${HEAD}export async function stop(id: string): Promise<void> {\n  const [job] = await db.select().from(jobs).where(eq(jobs.id, id));\n  if (job.startedAt === null) return;\n  await db.update(jobs).set({ finishedAt: new Date() }).where(and(eq(jobs.id, id)${where}));\n  await bank.pay(id);\n}\n`);
    expect(stop(', eq(jobs.isRunning, true)')).toEqual(['isRunning is compared, and who sets it is not in sight']);
    expect(stop('')).not.toEqual(['isRunning is compared, and who sets it is not in sight']);
  });
});

describe('a webhook', () => {
  const hook = (start: string): string => `import { Prisma, PrismaClient } from '@prisma/client';
import { app } from './app.js';
const prisma = new PrismaClient();
declare const bank: { pay(id: string): Promise<string> };
async function claimEvent(eventId: string): Promise<boolean> {
  try {
    await prisma.webhookEvent.create({ data: { eventId, status: 'processing' } });
    return true;
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return false;
    throw error;
  }
}
app.post('/webhooks/stripe', async (req: { body: { id: string } }) => {
  ${start}
  await bank.pay(req.body.id);
  await prisma.webhookEvent.update({ where: { eventId: req.body.id }, data: { status: 'processed' } });
});
`;

  it('that is let in once by an insert of its id overwrites nothing of its own', () => {
    expect(said(hook('if (!(await claimEvent(req.body.id))) return;')).at(-1)).toBe('a claim before it lets one run pass, here or in its callers, and who else takes the row is not in sight');
    expect(said(hook('await claimEvent(req.body.id);')).at(-1)).toBe('violated');
  });
});

describe('a time', () => {
  it('that somebody else says is no state of the row', () => {
    const poll = (value: string): string[] => said(`${HEAD}export async function poll(entry: { slug: string; publishedAt: string }): Promise<void> {\n  await db.update(jobs).set({ publishedAt: ${value} }).where(eq(jobs.slug, entry.slug));\n  await bank.pay(entry.slug);\n}\n`);
    expect(poll('new Date(entry.publishedAt)')).toEqual([]);
    expect(poll('new Date()')).not.toEqual([]);
  });
});

describe('a message', () => {
  const worker = (own: string, rival: string): string => `${HEAD}app.post('/jobs/:id/cancel', async (req: { params: { id: string } }) => {
  const [job] = await db.select().from(jobs).where(eq(jobs.id, req.params.id));
  if (job.status === 'done') return;
  await bank.pay(job.id);
  await db.update(jobs).set({ status: '${own}', updatedBy: await bank.pay(job.id) }).where(eq(jobs.id, req.params.id));
});
export const worker = new Worker('payments', async ({ data: { id } }) => {
  await db.update(jobs).set({ status: '${rival}', receipt: await bank.pay(id) }).where(eq(jobs.id, id));
});
`;
  const told = (own: string, rival: string): string => {
    const [site] = analyseText('/p/a.ts', worker(own, rival)).sites.filter(({ facts }) => facts.subject === 'T');
    const outcome = site?.outcomes['require-cas'];
    return outcome?.status === 'violated' ? outcome.data['rival'] ?? outcome.data['who'] ?? JSON.stringify(outcome.data) : outcome?.status ?? '';
  };

  it('names who did work that a cancel wipes out, not who only failed', () => {
    expect(told('cancelled', 'done')).toContain('payments');
    expect(told('cancelled', 'failed')).not.toContain('payments');
  });
});

describe('a store that answers on the spot', () => {
  const agent = (between: string): string[] => said(`import { Base } from './base.js';
export class Gatekeeper extends Base {
  async reject(id: number): Promise<void> {
    const rows = this.sql<{ status: string }>\`SELECT status FROM jobs WHERE id = \${id}\`;
    if (rows[0].status !== 'pending') return;
    ${between}
    this.sql\`UPDATE jobs SET status = 'running' WHERE id = \${id}\`;
    await this.execute(id);
  }
}
`);

  it('lets nobody come between a read and a write with no wait between them', () => {
    expect(agent('')).toEqual(['read and write are done without a wait between them, and whether another process has the store is not in sight']);
    expect(agent('await this.execute(id);')).toEqual(['violated']);
  });
});
