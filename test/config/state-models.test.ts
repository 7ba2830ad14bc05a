import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { mergeModels } from '../../src/config/merge-models.js';
import type { Config } from '../../src/config/config.js';
import { analyse } from '../../src/engine/engine.js';
import { reported } from '../../src/engine/judge/reported.js';
import { builtInModels } from '../../src/models/index.js';

interface Judged { readonly transitions: number; readonly findings: readonly string[]; readonly alike: readonly string[] }

function judged(code: string, config: Config = {}): Judged {
  const file = ts.createSourceFile('sample.ts', code, ts.ScriptTarget.Latest, true);
  const { sites, errors, lookAlikes } = analyse([file], { ts, models: mergeModels(builtInModels, config), rules });
  expect(errors).toEqual([]);
  return {
    transitions: sites.filter((s) => s.subject === 'T').length,
    findings: reported(sites, rules, 'recommended').map(({ rule, outcome }) => `${rule.id}:${outcome.at.line}`),
    alike: lookAlikes.map((l) => l.configLine),
  };
}

/** A cake is taken out of the oven while another worker throws it away: no word of it speaks of steps. */
const CAKES = `import { PrismaClient } from '@prisma/client';
const prisma = new PrismaClient();
export async function serve(id: string) {
  const cake = await prisma.cake.findUniqueOrThrow({ where: { id } });
  if (cake.phaseOfBaking === 'burnt') return;
  await prisma.cake.update({ where: { id }, data: { phaseOfBaking: 'served' } });
}
export async function bin(id: string) {
  const cake = await prisma.cake.findUniqueOrThrow({ where: { id } });
  if (cake.phaseOfBaking === 'served') return;
  await prisma.cake.update({ where: { id }, data: { phaseOfBaking: 'burnt' } });
}
`;

describe('a declared target', () => {
  const cakes: Config = { targets: [{ name: 'cakes', column: 'phase_of_baking', inFlight: ['rising'], terminal: ['served', 'burnt'] }] };

  it('makes its writes subjects, whatever its names say', () => {
    expect(judged(CAKES)).toMatchObject({ transitions: 0, findings: [] });
    expect(judged(CAKES, cakes)).toMatchObject({ transitions: 2, findings: ['require-cas:6', 'require-cas:11'] });
    expect(judged(CAKES, { targets: [{ name: '/^ca/', column: 'phaseOfBaking', terminal: ['served', 'burnt'] }] }).transitions).toBe(2);
  });

  it('knows its states: a guard that lets a final one pass is none', () => {
    const guarded = (from: string): string => CAKES.slice(0, CAKES.indexOf('export async function bin')).replace('update({ where: { id }', `updateMany({ where: { id, phaseOfBaking: ${from} }`).replace(/ {2}await prisma.cake.updateMany(.*);/, '  const { count } = await prisma.cake.updateMany$1;\n  if (count !== 1) throw new Error(id);');
    expect(judged(guarded('{ notIn: [\'served\', \'burnt\'] }'), cakes).findings).toEqual([]);
    expect(judged(guarded('{ not: \'served\' }'), cakes).findings).toEqual(['require-cas:6']);
  });

  it('is what a look-alike asks for in its line of configuration', () => {
    const code = `export async function f(db: any, id: string) {\n  await db.parcel.update({ where: { id }, data: { status: 'processing' } });\n}\n`;
    const [line] = judged(code).alike;
    expect(line).toBe('targets: [{ name: \'parcel\', column: \'status\' }]');
    expect(judged(code, { targets: [{ name: 'parcel', column: 'status' }] })).toMatchObject({ transitions: 1, alike: [] });
  });
});

describe('an ignored target', () => {
  const code = `export async function f(db: any, id: string) {\n  const job = await db.job.findUnique({ where: { id } });\n  if (job.status !== 'running') return;\n  await db.job.update({ where: { id }, data: { status: 'completed' } });\n}\n`;

  it('is no step state', () => {
    expect(judged(code).transitions).toBe(1);
    expect(judged(code, { ignoreTargets: ['Jobs'] })).toMatchObject({ transitions: 0, findings: [] });
    expect(judged(code, { ignoreTargets: ['/^j/'] }).transitions).toBe(0);
  });
});

/** The answer of a guarded move is dropped, and work follows. */
const MOVED = (setup: string, move: string): string => `${setup}
export async function f(id: string, bake: (id: string) => Promise<void>) {
  await ${move};
  await bake(id);
}
`;

describe('a modelled or tagged transition', () => {
  it('has its dropped answer found', () => {
    const modelled = MOVED('import { Oven } from \'@acme/oven\';\nconst oven = new Oven();', 'oven.shift(id, \'queued\', \'running\')');
    const config: Config = { transitions: [{ package: '@acme/oven', call: 'Oven#shift', target: 'cakes', id: 'arg0', from: 'arg1', to: 'arg2', result: 'boolean' }] };
    expect(judged(modelled)).toMatchObject({ transitions: 0, findings: [] });
    expect(judged(modelled, config).findings).toEqual(['no-ignored-cas-result:4']);
    const tagged = MOVED('/** @stepTransition target=cakes */\ndeclare function shift(cakeId: string, from: string, to: string): Promise<boolean>;', 'shift(id, \'queued\', \'running\')');
    expect(judged(tagged).findings).toEqual(['no-ignored-cas-result:4']);
    expect(judged(tagged.replace('/** @stepTransition target=cakes */', '//')).findings).toEqual([]);
  });

  it('is quiet where the answer is heeded', () => {
    const code = MOVED('/** @stepTransition to=\'running\' */\ndeclare function start(cakeId: string, expected: string): Promise<boolean>;', 'x').replace('  await x;', '  if (!(await start(id, \'queued\'))) return;');
    expect(judged(code)).toMatchObject({ transitions: 1, findings: [] });
  });
});

describe('the line of configuration of a look-alike that is called like an acquire', () => {
  it('makes it an acquire', () => {
    const code = 'export async function f(api: any, id: string) {\n  await api.acquireStepLock(id);\n}\n';
    const [line] = judged(code).alike;
    expect(line).toBe('locks: [{ id: \'acquireStepLock\', operations: [{ op: \'acquire\', call: \'acquireStepLock\', key: \'arg0\' }] }]');
    expect(judged(code, { locks: [{ id: 'acquireStepLock', operations: [{ op: 'acquire', call: 'acquireStepLock', key: 'arg0' }] }] }).alike).toEqual([]);
  });
});
