import { describe, expect, it } from 'vitest';
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
  const worker = (rival: string): string[] => said(`${HEAD}export const worker = new Worker('payments', async ({ data: { id } }) => {\n  ${END}\n});\n${rival}\n`);

  it('that gives a state to rows without one, or runs when the process starts, is nobody', () => {
    const text = (name: string, where: string): string => `export async function ${name}(id: string): Promise<void> { await db.update(jobs).set({ status: 'failed' }).where(${where}); }\napp.post('/x/:id', (req: { params: { id: string } }) => ${name}(req.params.id));`;
    const told = (rival: string): boolean => worker(rival).length === 2 && worker(rival)[1] === 'violated';
    expect(told(text('expireJobs', 'eq(jobs.id, id)'))).toBe(true);
    expect(told(text('initExpireJobs', 'eq(jobs.id, id)'))).toBe(false);
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
