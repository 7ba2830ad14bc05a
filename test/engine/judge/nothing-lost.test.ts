import { describe, expect, it } from 'vitest';
import { analyseText } from '../../fixtures/front-ends.js';
import { said } from './said.js';

const HEAD = "import express from 'express';\nimport { prisma } from './db.js';\ndeclare const bank: { pay(id: string): Promise<void> };\nconst app = express();\n";
const CANCEL = "app.post('/jobs/:id/cancel', async (req, res) => {\n  await prisma.paymentJob.update({ where: { id: req.params.id }, data: { status: 'cancelled' } });\n  res.send('ok');\n});\n";

describe('a write for the errors of a block', () => {
  const route = (work: string): string => `${HEAD}${CANCEL}
app.post('/jobs/:id/start', async (req, res) => {
  const { id } = req.params;
  try {
    const job = await prisma.paymentJob.findUnique({ where: { id } });
    if (job === null) return res.status(404).send();
    ${work}
  } catch (error) {
    await prisma.paymentJob.update({ where: { id }, data: { status: 'failed' } });
  }
});
`;
  const LOOKUP = 'nothing but a read that fails leads here, and who comes between is not in sight';

  it.each([
    ['that waits for reads alone', 'res.send(job);', LOOKUP],
    ['that catches the errors of its work itself', 'try { await bank.pay(id); } catch { console.log(id); }', LOOKUP],
    ['that throws the errors of its work on', 'try { await bank.pay(id); } catch (e) { throw e; }', 'violated'],
    ['that works', 'await bank.pay(id);', 'violated'],
  ])('%s', (_, work, outcome) => { expect(said(route(work)).at(-1)).toBe(outcome); });
});

describe('a flag of the object that works', () => {
  const flusher = (test: string, id: string): string => `${HEAD}
class Flusher {
  private busy = false;
  constructor(private readonly runId: string) {}
  async flush(runId: string, part: string): Promise<void> {
    ${test}
    this.busy = true;
    try {
      const run = await prisma.paymentRun.findUnique({ where: { id: ${id} } });
      const output = JSON.parse(JSON.stringify(run.output));
      output[part] = await bank.pay(part);
      await prisma.paymentRun.update({ where: { id: ${id} }, data: { output } });
    } finally {
      this.busy = false;
    }
  }
}
app.post('/flush/:id', async (req, res) => { await new Flusher(req.params.id).flush(req.params.id, 'a'); res.send('ok'); });
`;

  it.each([
    ['and names the row', 'if (this.busy) return;', 'this.runId', 'a flag of its object lets one run at a time in, and whether another object has the same row is not in sight'],
    ['and is handed any row', 'if (this.busy) return;', 'runId', 'violated'],
    ['that nothing asks', '', 'this.runId', 'violated'],
  ])('%s', (_, test, id, outcome) => { expect(said(flusher(test, id)).at(-1)).toBe(outcome); });
});

describe('callers that set the same columns anew', () => {
  const robots = (after: string): string => `${HEAD}
async function plan(id: string, cron: string): Promise<void> {
  const job = await prisma.cronJob.findUnique({ where: { id } });
  await prisma.cronJob.update({ where: { id }, data: { progress: { ...job.progress, cron, claimedAt: null } } });
}
app.post('/jobs/:id/plan', async (req, res) => {
  const { id } = req.params;
  await plan(id, req.body.cron);
  ${after}
  res.send('ok');
});
`;
  const update = (value: string): string => `await prisma.cronJob.update({ where: { id }, data: { progress: ${value} } });`;
  const ANEW = 'its callers set the same anew right after, and who loses by this write alone is not in sight';

  it.each([
    ['whatever was in them', update('{ cron: req.body.cron }'), ANEW],
    ['through an object that they fill', 'const data: any = {};\n  data.progress = { cron: req.body.cron };\n  await prisma.cronJob.update({ where: { id }, data });', ANEW],
    ['from what was in them', `const old = await prisma.cronJob.findUnique({ where: { id } });\n  ${update('{ ...old.progress, cron: req.body.cron }')}`, 'violated'],
    ['not at all', '', 'violated'],
  ])('%s', (_, after, outcome) => { expect(said(robots(after))[0]).toBe(outcome); });
});

describe('a command that means what it undoes', () => {
  const app = (route: string, worker = "await prisma.paymentJob.update({ where: { id }, data: { status: 'completed' } });"): string => `${HEAD.replace('import express', "import { Worker } from 'bullmq';\nimport express")}declare const queue: { add(name: string, data: unknown): Promise<void> };
app.post('/jobs/:id/command', async (req, res) => {
  const { id } = req.params;
  ${route}
  res.send('ok');
});
export const worker = new Worker('payments', async ({ data: { id } }) => {
  await bank.pay(id);
  ${worker}
});
`;
  const set = (status: string): string => `await prisma.paymentJob.update({ where: { id }, data: { status: '${status}' } });`;

  it('takes the row away', () => {
    expect(said(app(set('deleted')))[0]).toBe('a removal is meant to win over what others write, and what is lost by it is not in sight');
    expect(said(app(set('failed')))[0]).toBe('violated');
    // Nobody told a worker to.
    expect(said(app(set('failed'), set('deleted'))).at(-1)).toBe('violated');
  });

  it('sends for the work anew, whatever the row was at', () => {
    const send = "await queue.add('pay', { id });";
    expect(said(app(`${set('pending')}\n  ${send}`))[0]).toBe('its work is sent for anew right after, whatever the row was at, and what is lost by it is not in sight');
    expect(said(app(set('pending')))[0]).toBe('violated');
    expect(said(app(`const job = await prisma.paymentJob.findUnique({ where: { id } });\n  if (job.status !== 'failed') return;\n  ${set('pending')}\n  ${send}`))[0]).toBe('violated');
  });
});

describe('a rival whose state the condition shuts out', () => {
  const text = (shut: string): string => `${HEAD.replace('import express', "import { Worker } from 'bullmq';\nimport express")}${CANCEL}
export const worker = new Worker('payments', async ({ data: { id } }) => {
  await bank.pay(id);
  await prisma.paymentJob.updateMany({ where: { id, status: { not: '${shut}' } }, data: { status: 'completed' } });
});
`;

  it('is not named', () => {
    expect(said(text('cancelled')).at(-1)).not.toBe('violated');
    expect(said(text('failed')).at(-1)).toBe('violated');
  });
});

describe('what runs on a handle of the caller', () => {
  const text = (type: string): string => `${HEAD}
export async function reset(executor: ${type}, id: string): Promise<void> {
  await executor.paymentJob.update({ where: { id }, data: { status: 'pending' } });
}
${CANCEL}`;

  it('may find the row locked where its type says that it may be a transaction', () => {
    expect(said(text('DbOrTx'))[0]).toBe('it runs on a transaction of the caller, who may have locked the row');
    expect(said(text('Database'))[0]).not.toBe('it runs on a transaction of the caller, who may have locked the row');
  });
});

describe('a plan that is switched on', () => {
  const text = (state: string): string => `${HEAD}
export async function take(id: string): Promise<unknown> {
  const plan = await prisma.jobPlan.findUnique({ where: { id } });
  if (plan.status !== 'paused') return null;
  return prisma.jobPlan.update({ where: { id }, data: { status: '${state}' } });
}
`;

  it('is claimed by nobody', () => {
    const messages = (state: string): string[] => analyseText('/p/a.ts', text(state)).sites.flatMap(({ outcomes }) => { const o = outcomes['require-cas']; return o?.status === 'violated' ? [o.messageId] : []; });
    expect(messages('running')).toEqual(['claim']);
    expect(messages('active')).not.toContain('claim');
  });
});

describe('a lock before calls that catch their errors', () => {
  const text = (end: string): string => `import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
const redis = new Redis();
declare function load(): Promise<string>;
async function hasContent(): Promise<boolean> {
  try { return (await load()) !== ''; } catch { ${end} }
}
export async function seed(id: string): Promise<void> {
  const owner = randomUUID();
  if ((await redis.set('lock:' + id, owner, 'PX', 10000, 'NX')) !== 'OK') return;
  const known = await hasContent();
  try { if (!known) await load(); } finally { await redis.eval("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end", 1, 'lock:' + id, owner); }
}
`;

  it('is not left by them', () => {
    expect(said(text('return true;'), 'require-release', 'A')).toEqual(['verified']);
    expect(said(text('throw new Error("no");'), 'require-release', 'A')).toEqual(['violated']);
    expect(said(text('return true;').replace('try {', 'await pending; try {').replace('declare function load', 'declare const pending: Promise<void>;\ndeclare function load'), 'require-release', 'A')).toEqual(['violated']);
    // Nobody in the function waits for what it gives.
    expect(said(text('return true;').replace("return (await load()) !== '';", 'return load();'), 'require-release', 'A')).toEqual(['violated']);
  });
});
