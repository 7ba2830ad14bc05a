import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { analyse } from '../../src/engine/engine.js';
import { FUNCTION_BUDGET } from '../../src/engine/judge/function-budget.js';
import type { Analysis } from '../../src/engine/judge/site.js';
import { builtInModels } from '../../src/models/index.js';

/** Work is counted in calls of the compiler's functions, which is the same on every machine. */
interface Counted { readonly analysis: Analysis; readonly calls: number }

function counted(text: string, mostCalls: number): Counted {
  let calls = 0;
  const count = (fn: (...given: unknown[]) => unknown) => (...given: unknown[]): unknown => {
    // Rather than run for minutes.
    if (++calls > mostCalls) throw new Error(`more than ${String(mostCalls)} calls`);
    return fn(...given);
  };
  const entries = Object.entries(ts).map(([name, value]: [string, unknown]) => [name, typeof value === 'function' && /^[a-z]/.test(name) ? count(value as (...given: unknown[]) => unknown) : value]);
  // The namespace with its functions counted has the shape of the namespace.
  const counting = Object.fromEntries(entries) as unknown as typeof ts;
  const file = ts.createSourceFile('/odd/generated.ts', text, ts.ScriptTarget.Latest, true);
  const analysis = analyse([file], { ts: counting, models: builtInModels, rules });
  return { analysis, calls };
}

const HEAD = `import Redlock from 'redlock';\nimport { PrismaClient } from '@prisma/client';\nimport { redis, work, pool } from './other';\nconst prisma = new PrismaClient();\nconst redlock = new Redlock([redis]);\n`;
const times = (n: number, text: (i: number) => string, between = '\n'): string => Array.from({ length: n }, (_, i) => text(i)).join(between);
const inLock = (body: string): string => `${HEAD}export async function f(id: string, kind: string, o: any) { const lock = await redlock.acquire([id], 5000); try { ${body} } finally { await lock.release(); } }`;

/** Code as generators and careless hands write it, in any size. */
const SHAPES: Readonly<Record<string, (n: number) => string>> = {
'a switch under a lock': (n) => inLock(`switch (kind) { ${times(n, (i) => `case 's${String(i)}': await work(${String(i)}); break;`)} }`),
  'a row of tests under a lock': (n) => inLock(times(n, (i) => `if (kind === 'k${String(i)}') { await work(${String(i)}); }`)),
  'a ladder of tests under a lock': (n) => inLock(times(n, (i) => `if (kind === 'k${String(i)}') { await work(${String(i)}); }`, ' else ')),
  'a row of answers that are tested': (n) => inLock(times(n, (i) => `const b${String(i)} = await work(${String(i)}); if (!b${String(i)}) { work(1); }`)),
  'a row of loops under a lock': (n) => inLock(times(n, (i) => `for (const a${String(i)} of o) { await work(a${String(i)}); }`)),
  'functions with a lock each': (n) => HEAD + times(n, (i) => `export async function f${String(i)}(id: string) { const l = await redlock.acquire([id], 5000); try { await work(); } finally { await l.release(); } }`),
  'callers of one locker': (n) => `${HEAD}async function withLock(id: string, fn: () => Promise<void>) { const l = await redlock.acquire([id], 5000); try { return await fn(); } finally { await l.release(); } }\n${times(n, (i) => `export async function g${String(i)}(id: string) { await withLock(id, async () => { await prisma.job.update({ where: { id }, data: { status: 'r' } }); }); }`)}`,
  'writers of one table': (n) => HEAD + times(n, (i) => `export async function f${String(i)}(id: string) { const job = await prisma.job.findUnique({ where: { id } }); if (job.status !== 'queued') return; await prisma.job.update({ where: { id }, data: { status: 'running' } }); }`),
  'statements on one table': (n) => HEAD + times(n, (i) => `export async function f${String(i)}(id: string) { await pool.query("UPDATE jobs SET status = 'running' WHERE id = $1", [id]); }`),
  'a chain of calls': (n) => `${HEAD}${times(n, (i) => `async function f${String(i)}(id: string) { await f${String(i + 1)}(id); }`)}\nasync function f${String(n)}(id: string) { const l = await redlock.acquire([id], 5000); await work(); await l.release(); }`,
  'functions that call each other': (n) => HEAD + times(n, (i) => `async function f${String(i)}(id: string) { ${times(4, (k) => `await f${String((i * 3 + k * 7 + 1) % n)}(id);`, ' ')} if (id) await prisma.job.update({ where: { id }, data: { status: 'running' } }); }`),
  'an expression of many terms': (n) => `${HEAD}export async function f(status: string, id: string) { const r = await redis.set('lock', 'x', 'NX'); if (${times(n, (i) => `status === 's${String(i)}'`, ' || ')}) { await redis.del('lock'); } }`,
  'nested tests under a lock': (n) => inLock(`${times(n, (i) => `if (o.a${String(i)}) {`)} await work(); ${'}'.repeat(n)}`),
};

describe('work grows as the file does', () => {
  it.each(Object.entries(SHAPES))('%s', (_, shape) => {
    const small = counted(shape(20), 2_000_000);
    const large = counted(shape(80), 8_000_000);
    // Four times the code: a square would be sixteen, all combinations past counting.
    expect(large.calls / small.calls).toBeLessThan(8.5);
    expect(large.analysis.errors).toEqual([]);
  });
});

/** Each write is judged by all that its function does: their cost grows with the square, up to the budget. */
const switchOfStates = (n: number): string => `${HEAD}export async function step(job: { id: string; kind: string }) { switch (job.kind) { ${times(n, (i) => `case 'k${String(i)}': await prisma.job.update({ where: { id: job.id }, data: { status: 's${String(i)}' } }); break;`)} } }`;

describe('a function with too many locks for its size', () => {
  const shape = (n: number): string => `${HEAD}export async function f() {\n${times(n, (i) => `const l${String(i)} = await redlock.acquire(['k${String(i)}'], 5000); await work(); await l${String(i)}.release();`)}\n}\nexport async function g(id: string) { const l = await redlock.acquire([id], 5000); await work(); await l.release(); }`;
  const statuses = ({ sites }: Analysis, name: string): string[] => [...new Set(sites.filter((s) => s.name === name).flatMap((s) => Object.values(s.outcomes)).map(({ status }) => status))].sort();

  it('is unknown, and says why', () => {
    const text = shape(200);
    expect(400 * text.length).toBeGreaterThan(FUNCTION_BUDGET);
    const { analysis } = counted(text, 8_000_000);
    expect(statuses(analysis, 'f')).toEqual(['not-applicable', 'unknown']);
    const told = analysis.sites.flatMap((s) => Object.values(s.outcomes)).find((o) => o.status === 'unknown');
    expect(told).toMatchObject({ missing: { fact: expect.stringContaining('too large to be followed to its end') as string } });
    expect(statuses(analysis, 'g')).toContain('violated');
  });

  it('is unknown for its writes too', () => {
    const facts = ({ sites }: Analysis): string[] => sites.flatMap((s) => Object.values(s.outcomes)).flatMap((o) => (o.status === 'unknown' ? [o.missing.fact] : []));
    const large = facts(counted(switchOfStates(250), 30_000_000).analysis);
    expect(large.length).toBeGreaterThan(250);
    expect(large.filter((fact) => !fact.includes('too large'))).toEqual([]);
    expect(facts(counted(switchOfStates(3), 8_000_000).analysis).filter((fact) => fact.includes('too large'))).toEqual([]);
  });

  it('is judged while it is small', () => {
    expect(statuses(counted(shape(3), 8_000_000).analysis, 'f')).toContain('violated');
  });
});

describe('files that are large in one way end with an answer', () => {
  it.each([
    ['ten thousand lines of state', times(3_300, (i) => `export const isX${String(i)} = (job: any) => job.status === 's${String(i)}'\n  && job.lockedAt < Date.now()\n  && job.attempts > ${String(i)};`)],
    ['blocks two thousand deep', `export async function f(lock: any) { ${'{ '.repeat(2_000)} lock.status = 'a'; ${'} '.repeat(2_000)} }`],
    ['a switch of five thousand cases', `export function nameOf(status: string) { switch (status) { ${times(5_000, (i) => `case 's${String(i)}': return 'status ${String(i)}';`)} } }`],
    ['an expression of twenty thousand terms', `export const status = ${times(20_000, (i) => `'s' + a${String(i)}`, ' + ')};`],
    ['a line of five megabytes', `export const data = "${'x'.repeat(5_000_000)} lock status redis";`],
  ])('%s', (_, text) => {
    const { analysis } = counted(text, 8_000_000);
    expect(analysis.sites.flatMap((s) => Object.values(s.outcomes)).filter(({ status }) => status === 'violated')).toEqual([]);
    expect(analysis.errors.filter(({ message }) => message !== 'the file is nested too deeply to be judged')).toEqual([]);
  });
});
