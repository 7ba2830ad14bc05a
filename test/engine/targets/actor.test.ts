import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { actorOfNode } from '../../../src/engine/targets/actor.js';
import type { Unit } from '../../../src/engine/syntax/unit.js';
import { unitOf } from '../functions/hand-made.js';

/** The actor of the call `mark()` in the first file. */
function actor(files: Readonly<Record<string, string>>): string {
  const unit = unitOf(files);
  return actorOfNode(unit, marked(unit), 'program').text;
}

function marked(unit: Unit): ts.Node {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(unit.file) === 'mark') found ??= node;
    ts.forEachChild(node, visit);
  };
  visit(unit.file);
  if (found === undefined) throw new Error('no call of mark()');
  return found;
}

const one = (text: string, name = 'a.ts'): Readonly<Record<string, string>> => ({ [name]: text });

const cases: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['express route', one(`app.post('/steps/:id/start', async (req, res) => { await mark(); });`), 'http POST /steps/:id/start'],
  ['route behind a wrapper', one(`router.patch('/steps/:id', auth, asyncHandler(async (req) => { await mark(); }));`), 'http PATCH /steps/:id'],
  ['named handler', one(`async function start(req) { await mark(); } router.put('/steps', start);`), 'http PUT /steps'],
  ['route table', one(`const routes = { 'steps/pause': (id) => mark(id) };`), 'http steps/pause'],
  ['fastify route object', one(`fastify.route({ method: 'POST', url: '/steps', handler: async (req) => { await mark(); } });`), 'http POST /steps'],
  ['hono chain', one(`new Hono().route('/x').post('/steps', async (c) => { await mark(); });`), 'http POST /steps'],
  ['Nest controller', one(`@Controller('steps') class C { @Post(':id/start') async start() { await mark(); } }`), 'http POST /steps/:id/start'],
  ['Next route file', one(`export async function POST(req: Request) { await mark(); }`, 'app/api/(core)/steps/[id]/route.ts'), 'http POST /api/steps/[id]'],
  ['wrapped Next route', one(`export const PATCH = withAuth(async (req) => { await mark(); });`, 'src/app/api/steps/route.ts'), 'http PATCH /api/steps'],
  ['Next page', one(`export default async function handler(req, res) { await mark(); }`, 'pages/api/steps.ts'), 'http /api/steps'],
  ['server action', one(`'use server';\nexport async function saveStep() { await mark(); }`), 'http action saveStep'],
  ['tRPC', one(`export const steps = router({ start: publicProcedure.input(z.string()).mutation(async () => { await mark(); }) });`), 'http mutation start'],
  ['webhook route', one(`app.post('/webhooks/stripe', async () => { await mark(); });`), 'webhook by http POST /webhooks/stripe'],
  ['BullMQ worker', one(`new Worker('steps', async (job) => { await mark(); });`), 'queue steps'],
  ['BullMQ worker, named processor', one(`const process = async (job) => { await mark(); }; export const worker = new Worker(QUEUE_NAME, process);`), 'queue QUEUE_NAME'],
  ['pg-boss', one(`boss.work('expire-steps', async ([job]) => { await mark(); });`), 'queue expire-steps'],
  ['agenda', one(`agenda.define('close step', async (job) => { await mark(); });`), 'queue close step'],
  ['Nest processor', one(`@Processor('steps') class P { @Process('run') async run() { await mark(); } }`), 'queue run'],
  ['Nest worker host', one(`@Processor('steps') class P extends WorkerHost { async process(job) { await mark(); } }`), 'queue steps'],
  ['loop over a queue', one(`async function drain() { while (running) { const job = await queue.take(5); await mark(job); } }`), 'queue drain'],
  ['Inngest', one(`inngest.createFunction({ id: 'step-run' }, { event: 'step/run' }, async () => { await mark(); });`), 'queue step-run'],
  ['Inngest by the clock', one(`inngest.createFunction({ id: 'sweep' }, { cron: '0 * * * *' }, async () => { await mark(); });`), 'cron sweep'],
  ['jobs of a worker', one(`new RedisWorker({ jobs: { expireRun: async ({ payload }) => { await mark(); } } });`), 'queue expireRun'],
  ['node-cron', one(`cron.schedule('0 * * * *', async () => { await mark(); });`), 'cron 0 * * * *'],
  ['Nest cron', one(`class T { @Cron('0 * * * *') async sweepSteps() { await mark(); } }`), 'cron T.sweepSteps'],
  ['timer', one(`setInterval(() => void tick(), 5_000); async function tick() { await mark(); }`), 'cron'],
  ['cancel through a route', one(`async function cancelRun(id) { await mark(id); } app.delete('/runs/:id', (req) => cancelRun(req.params.id));`), 'cancel by http DELETE /runs/:id'],
  ['by the name alone', one(`export class Compensator { async run() { await mark(); } }`), 'compensation'],
  ['a job by its name', one(`export class TimeoutJob { async expireOverdue() { await mark(); } }`), 'cron TimeoutJob.expireOverdue'],
  ['nothing tells', one(`export async function store(id) { await mark(id); }`), 'unknown'],
  ['a domain noun is no worker', one(`export class BackgroundWorkerService { async save() { await mark(); } }`), 'unknown'],
  ['across files', {
    'store.ts': `export class Store { async finish(id: string) { await mark(id); } }`,
    'api.ts': `import { Store } from './store'; const store = new Store(); app.post('/finish', async (req) => { await store.finish(req.body.id); });`,
  }, 'http POST /finish'],
  ['handed on across files', {
    'handlers.ts': `export async function finish(req) { await mark(req); }`,
    'api.ts': `import { finish } from './handlers'; router.post('/finish', finish);`,
  }, 'http POST /finish'],
  ['two ways', {
    'store.ts': `export async function finish(id: string) { await mark(id); }`,
    'api.ts': `import { finish } from './store'; app.post('/finish', async (req) => { await finish(req.body.id); });`,
    'job.ts': `import { finish } from './store'; new Worker('steps', async (job) => { await finish(job.id); });`,
  }, 'http POST /finish; queue steps'],
];

describe('how a write is entered', () => {
  for (const [name, files, expected] of cases) it(name, () => expect(actor(files)).toBe(expected));
});
