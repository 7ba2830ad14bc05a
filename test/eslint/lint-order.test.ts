import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import plugin from '../../src/eslint/index.js';

const LOCKER = `import Redlock from 'redlock';
declare const client: object;
const redlock = new Redlock([client]);
export async function takeStep(id: string) { return redlock.acquire(['step:' + id], 5000); }
export async function withStep(id: string, fn: () => Promise<void>) {
  const lock = await redlock.acquire(['step:' + id], 0);
  await fn();
  await lock.release();
}
`;
const STORE = `declare const prisma: { step: { update(args: object): Promise<unknown>; findUnique(args: object): Promise<{ status: string; attempts: number }>; updateMany(args: object): Promise<{ count: number }> } };
export async function finish(id: string, work: () => Promise<string>) {
  const output = await work();
  await prisma.step.update({ where: { id }, data: { status: 'succeeded', output } });
}
export async function cancel(id: string) {
  await prisma.step.update({ where: { id }, data: { status: 'cancelled' } });
}
export async function claim(id: string) {
  const step = await prisma.step.findUnique({ where: { id } });
  if (step.status !== 'queued') return;
  await prisma.step.update({ where: { id }, data: { status: 'running', attempts: step.attempts + 1 } });
}
`;
const FILES: Readonly<Record<string, string>> = {
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true, "types": [] }, "include": ["src"] }',
  'package.json': '{ "type": "module" }',
  'src/a-worker.ts': `import { takeStep, withStep } from './locker.js';\nimport { claim, finish } from './store.js';\nexport async function run(id: string) {\n  const lock = await takeStep(id);\n  await claim(id);\n  await finish(id, async () => 'x');\n  await lock.release();\n}\nexport async function runUnder(id: string) { await withStep(id, () => claim(id)); }\n`,
  'src/locker.ts': LOCKER,
  'src/store.ts': STORE,
  'src/z-cancel.ts': `import { cancel } from './store.js';\nimport { takeStep } from './locker.js';\nexport async function stop(id: string) {\n  await takeStep(id);\n  await cancel(id);\n}\n`,
};
const SOURCES = Object.keys(FILES).filter((path) => path.startsWith('src/'));

/** With `CI` set the parser takes each run for its only one and gives a file that is linted again a program of that file alone, which would be compared with the whole one. */
const wholeProgram = (root: string): Linter.ParserOptions => ({ project: true, tsconfigRootDir: root, disallowAutomaticSingleRunInference: true });

describe.each([['typed', true], ['untyped', false]] as const)('%s: the findings of a file do not depend on what was linted before it', (_, typed) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'step-lock-order-')));
  beforeAll(() => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  });
  afterAll(() => { rmSync(root, { recursive: true }); });

  const linter = (): ESLint => new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ['**/*.ts'], languageOptions: { parser: typescriptParser, parserOptions: typed ? wholeProgram(root) : {} } },
      ...plugin.configs.strict,
    ],
  });

  /** By file, whatever the order they were linted in. */
  async function lint(eslint: ESLint, paths: readonly string[]): Promise<Record<string, Linter.LintMessage[]>> {
    const found: Record<string, Linter.LintMessage[]> = {};
    for (const path of paths) for (const { messages } of await eslint.lintFiles([path])) found[path] = messages;
    return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  it('in order, backwards, from the middle, twice, and each alone', async () => {
    const inOrder = await lint(linter(), SOURCES);
    expect(Object.values(inOrder).flat().filter(({ fatal }) => fatal)).toEqual([]);
    expect(Object.values(inOrder).flat().length).toBeGreaterThan(3);
    expect(await lint(linter(), [...SOURCES].reverse())).toEqual(inOrder);
    expect(await lint(linter(), [...SOURCES.slice(2), ...SOURCES.slice(0, 2)])).toEqual(inOrder);
    const again = linter();
    await lint(again, SOURCES);
    expect(await lint(again, SOURCES)).toEqual(inOrder);
    for (const path of SOURCES) expect(await lint(linter(), [path])).toEqual({ [path]: inOrder[path] });
  });
});
