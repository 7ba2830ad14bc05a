import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { audit, type AuditResult } from '../../src/audit/audit.js';
import { packedState, unpackedState, type AuditState } from '../../src/audit/audit-state.js';
import { builtInModels } from '../../src/models/index.js';
import { tempTree } from '../audit/temp-tree.js';
import { seeded } from '../robustness/seeded.js';

const ROUNDS = Number(process.env['STEP_LOCK_RUNS'] ?? 30);
const LOCK = (name: string, ttl: string): string => `import { Redis } from 'ioredis';
const redis = new Redis();
export async function ${name}(id: string, owner: string) { return (await redis.set(\`lock:step:\${id}\`, owner, 'NX'${ttl})) === 'OK'; }
`;
const USER = `import { take } from '../lib/index.js';
export async function finish(db: { query(sql: string, values: unknown[]): Promise<{ rowCount: number }> }, id: string) {
  if (!(await take(id, 'worker'))) return;
  await db.query("UPDATE steps SET status = 'done' WHERE id = $1 AND status = 'running'", [id]);
}
`;
/** The barrel leads to a file without the name, to a barrel, and to the file with it, in that order. */
const PROGRAM: Readonly<Record<string, string>> = {
  'lib/index.ts': "export * from './first.js';\nexport * from './more/index.js';\nexport * from './third.js';\n",
  'lib/first.ts': 'export const first = 1;\n',
  'lib/more/index.ts': "export * from './second.js';\n",
  'lib/more/second.ts': 'export const second = 2;\n',
  'lib/third.ts': LOCK('take', ''),
  'src/user.ts': USER,
  'src/other.ts': 'export const other = 3;\n',
};

function run(root: string, state?: AuditState): Promise<AuditResult> {
  return audit({ cwd: root, models: builtInModels, rules, earlier: { state: state && unpackedState(packedState(state)), key: 'test' } });
}

function said({ analysis, judged, errors, withheld }: AuditResult): unknown {
  return JSON.parse(JSON.stringify({ analysis, judged, errors, withheld }));
}

/** Writes files of the program, undefined removes one, and tells whether the user of the barrel was judged anew. */
async function after(files: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const root = tempTree(PROGRAM);
  const before = await run(root);
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(root, path));
    else writeFileSync(join(root, path), text);
  }
  const now = await run(root, before.state?.());
  expect(said(now)).toEqual(said(await run(root)));
  const own = (result: AuditResult): unknown => result.state?.().files.find(({ path }) => path.endsWith('src/user.ts'))?.reads;
  return JSON.stringify(own(now)) !== JSON.stringify(own(before));
}

it('finds a name that comes to stand before the one that was found', async () => {
  expect(await after({ 'lib/first.ts': LOCK('take', ", 'PX', 30_000") })).toBe(true);
  expect(await after({ 'lib/more/second.ts': LOCK('take', ", 'PX', 30_000") })).toBe(true);
  expect(await after({ 'lib/first.ts': "export * from './fourth.js';\n", 'lib/fourth.ts': LOCK('take', ", 'PX', 30_000") })).toBe(true);
  expect(await after({ 'lib/first.ts': "export { other as take } from '../src/other.js';\n" })).toBe(true);
  expect(await after({ 'lib/more/second.ts': undefined, 'lib/more/second.tsx': LOCK('take', '') })).toBe(true);
});

it('takes the rest from before where files of the barrel change in other ways', async () => {
  expect(await after({ 'lib/first.ts': 'export const first = 1;\nexport const more = 2;\n' })).toBe(false);
  expect(await after({ 'lib/first.ts': '// It does not take anything.\nexport const first = 1;\n' })).toBe(false);
});

it(`says what judging all says after ${String(ROUNDS)} seeded edits of barrels and what they lead to`, async () => {
  const choose = seeded(20_261_201);
  const root = tempTree(PROGRAM);
  const texts = ['export const nothing = 0;\n', '// take\nexport const word = 0;\n', LOCK('take', ''), LOCK('take', ", 'PX', 30_000"), "export * from './third.js';\n", "export * from './more/index.js';\nexport * from './first.js';\n", "export { take } from './third.js';\n", "export * as take from './third.js';\n", 'module.exports = { take: 1 };\n', "const take = 'x';\nexport default take;\n"];
  const paths = Object.keys(PROGRAM).filter((path) => path.startsWith('lib/'));
  let state: AuditState | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const path = paths[choose(paths.length)] ?? '';
    const text = choose(4) === 0 ? PROGRAM[path] ?? '' : texts[choose(texts.length)] ?? '';
    if (choose(8) === 0) rmSync(join(root, path), { force: true });
    else writeFileSync(join(root, path), text);
    const part = await run(root, state);
    expect(said(part), `${path}: ${text}`).toEqual(said(await run(root)));
    state = part.state?.();
  }
}, 120_000);
