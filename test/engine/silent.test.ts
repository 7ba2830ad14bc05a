import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { discover } from '../../src/audit/discover.js';
import { fileTree } from '../../src/audit/file-tree.js';
import { loadTypeScript } from '../../src/audit/load-typescript.js';
import { createSourceProject } from '../../src/audit/source-project.js';
import { parseSource } from '../../src/audit/parse.js';
import { analyseParts, type EngineOptions } from '../../src/engine/engine.js';
import type { Parts } from '../../src/engine/parts.js';
import type { Project } from '../../src/engine/project.js';
import { isSilent, silentTest } from '../../src/engine/silent.js';
import { builtInModels } from '../../src/models/index.js';
import { allFixtures } from '../fixtures/fixture-files.js';
import { analyseText } from '../fixtures/front-ends.js';

const { typescript } = await loadTypeScript();
const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));

it('no file of a fixture that shows something by itself is silent', () => {
  const shown = allFixtures().map(({ title, path }) => ({ title, text: readFileSync(path, 'utf8'), path })).filter(({ path, text }) => {
    const { sites, lookAlikes, wrappers, errors } = analyseText(path, text);
    return sites.length + lookAlikes.length + wrappers.length + errors.length > 0;
  });
  expect(shown.length).toBeGreaterThan(400);
  expect(shown.filter(({ text }) => isSilent(text)).map(({ title }) => title)).toEqual([]);
});

describe('silent', () => {
  it.each([
    'const [status, setStatus] = useState("idle");\nreturn <Badge status={status} onClick={() => setStatus("open")} />;',
    'const seen = new Map<string, Run>();\nfor (const run of runs) seen.set(run.id, run);\nexport const state = seen;',
    'const run = await prisma.run.findUnique({ where: { id } });\nif (run?.status === "failed") redirect("/");',
    'await client.job.deleteMany({ where: { status: "done" } });',
    '// Please enter the state of the block, update the clock and set it.\nexport type Phase = "on" | "off";',
    'const { data } = api.runs.all.useQuery({ status }, { placeholderData: [] });',
    'export const shape = z.object({ status: z.string() }).extend({ phase: z.string() });',
    'const label = "Update the status of the row"; const hint = `with ${name} as owner`;',
  ])('%j', (text) => { expect(isSilent(text)).toBe(true); });
});

describe('not silent', () => {
  it.each([
    ['a write of rows', 'await prisma.run.updateMany({ where: { id, status: "a" }, data: { status: "b" } });'],
    ['an optional call of one', 'await store.save?.(run);'],
    ['a call with type arguments', 'await repo.update<Run>(id, { status });'],
    ['a call through parentheses', 'await (db.update)(runs).set({ status });'],
    ['a verb of a store', 'await steps.markRunning(id);'],
    ['a document', 'await updateDoc(ref, { status });'],
    ['a command', 'await client.send(new UpdateItemCommand({ Key, UpdateExpression }));'],
    ['text of SQL', 'await pool.query(`update jobs set status = $1 where id = $2`, [to, id]);'],
    ['text of SQL in pieces', 'await pool.query("UPDATE jobs " + "SET status = $1");'],
    ['text of SQL behind a comment', 'await pool.query(`\n  -- take it\n  with next as (select 1) update jobs set state = 1`);'],
    ['text of SQL that another file holds', 'await pool.query(CLAIM, [id]);'],
    ['a SET with options that another file holds', 'await client.set(key, me, OPTIONS);'],
    ['a SET behind a GET', 'if (await client.get(key)) return;\nawait client.set(key, "1");'],
    ['a SET of a store', 'await runStore.set(id, { status });'],
    ['a deletion that may be one of a lock', 'if ((await c.get(k)) === me) await c.del(k);'],
    ['a script', 'await c.eval(SCRIPT, 1, key, me);'],
    ['a command by name', 'await c.sendCommand(["SET", key, me, "NX"]);'],
    ['an operation of a lock API that has no word for one', 'const turn = await desk.take(stepId, me);'],
    ['the end of one', 'await turn.free();'],
    ['a function that runs another one alone', 'await runExclusive(id, () => work());'],
    ['a renewal', 'const beat = startHeartbeat(key, token, { onLost });'],
    ['a wrapper', 'const done = await claimStep(id);'],
    ['a wrapper under another name', 'import { releaseStep as done } from "./steps";'],
    ['rows that are locked', 'const [row] = await db.select().from(t).where(w).for("update");'],
    ['a mark', 'await db.insert(sent).values({ id }).onConflictDoNothing();'],
    ['a class that has the operations of a lock', 'export class OpenLock { acquire = async () => true; }'],
    ['a flag', 'let running = false;\nexport async function tick() {\n  if (running) return;\n  running = true;\n  try { await work(); } finally {\n    running = false;\n  }\n}'],
    ['busy keys', 'const busy = new Set<string>();\nexport async function f(id) { if (busy.has(id)) return; busy.add(id); try { await g(id); } finally { busy.delete(id); } }'],
    ['a chain of promises', 'let tail = Promise.resolve();\nexport async function next(work) {\n  tail = tail.then(work);\n}'],
    ['an election', 'campaign.on("elected", () => run());'],
    ['a queue', 'import { Worker } from "bullmq";'],
    ['a tag', '/** @maxDuration 30s */'],
    ['an exception', '// step-lock-ignore no-lost-update -- one worker'],
  ])('%s', (_, text) => { expect(isSilent(text)).toBe(false); });

  it('a call that the user modelled', () => {
    const test = silentTest({ words: [], locks: [{ id: 'turns', operations: [{ op: 'acquire', call: 'Turns#enter', key: 'arg0' }] }], writes: [{ call: 'settle', id: 'arg0' }] });
    expect(['await turns.enter(id);', 'await settle(id);', 'await leave(id);'].map(test)).toEqual([false, false, true]);
  });
});

/** A silent file is judged where others lead to it: all files parsed or not, a run says the same. */
describe.each([...readdirSync(join(FIXTURES, 'programs')).map((name) => `programs/${name}`), ...readdirSync(join(FIXTURES, 'projects')).map((name) => `projects/${name}`)])('%s', (folder) => {
  it('has the same sites and rows whether silent files are parsed or not', () => {
    const found = discover({ root: join(FIXTURES, folder), paths: ['.'], include: { test: true, generated: false, declaration: false } });
    const paths = found.files.map(({ path }) => path);
    const texts = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
    const judged = (isToldSilent: boolean): Pick<Parts, 'files' | 'rows'> & { readonly guards: Parts['guards'] } => {
      const project = createSourceProject({ typescript, candidates: texts, scanned: paths, configFiles: found.configFiles, tree: fileTree(), isSilent });
      // Tags speak of calls in files that show nothing else.
      const isTagged = [...texts.values()].some((text) => /@(?:acquiresLock|releasesLock|extendsLock|stepTransition)/.test(text));
      return analyseParts(paths, { ts: typescript, models: builtInModels, rules, project: project.port, whole: true, ...(isToldSilent && !isTagged && { isSilent: project.isSilent }) });
    };
    const plain = (parts: ReturnType<typeof judged>): unknown => JSON.parse(JSON.stringify(parts)) as unknown;
    expect(plain(judged(true))).toEqual(plain(judged(false)));
  });
});

describe('a silent file that drops the answer of a guarded write of another file', () => {
  const body = '(id: string) {\n  const { count } = await prisma.stepRun.updateMany({ where: { id, status: "pending" }, data: { status: "running" } });\n  return count === 1;\n}\n';
  const head = 'import { prisma } from "@acme/db";\n';

  it.each([
    ['by its name', `${head}export async function startStep${body}`, 'import { startStep } from "./store.js";\nexport async function go(id: string) {\n  await startStep(id);\n}\n'],
    ['as a method', `${head}export class Store {\n  async startStep${body}}\n`, 'import type { Store } from "./store.js";\nexport async function go(s: Store, id: string) {\n  await s.startStep(id);\n}\n'],
    ['under the name of its export', `${head}async function grabIt${body}export { grabIt as beginStep };\n`, 'import { beginStep } from "./store.js";\nexport async function go(id: string) {\n  await beginStep(id);\n}\n'],
    ['as the default', `${head}export default async function startStep${body}`, 'import takeUp from "./store.js";\nimport begin from "./store.js";\nexport async function go(id: string) {\n  await begin(id);\n}\n'],
  ])('is judged: %s', (_, store, use) => {
    const texts = new Map([['/p/store.ts', store], ['/p/use.ts', use]]);
    expect([...texts.values()].map(isSilent)).toEqual([false, true]);
    const files = new Map([...texts].map(([path, text]) => [path, parseSource(typescript, path, text)]));
    const project: Project = {
      file: (path) => files.get(path),
      text: (path) => texts.get(path),
      resolve: (_from, specifier) => (specifier === './store.js' ? '/p/store.ts' : undefined),
      filesMentioning: (name) => [...texts].flatMap(([path, text]) => (text.includes(name) ? [path] : [])),
      runLimit: () => undefined,
    };
    const sitesOf = (more: Pick<EngineOptions, 'isSilent'>): unknown[] => analyseParts([...texts.keys()], { ts: typescript, models: builtInModels, rules, project, whole: true, ...more }).files.flatMap(({ sites }) => sites.map((s) => s.place));
    const all = sitesOf({});
    expect(all).toContainEqual(expect.objectContaining({ file: '/p/use.ts' }));
    expect(sitesOf({ isSilent: (path) => isSilent(texts.get(path) ?? '') })).toEqual(all);
  });
});
