import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rules } from '../../rules/index.js';
import { createPlugin } from '../../src/eslint/create-plugin.js';
import { judging } from '../../src/eslint/own-judging.js';
import { tempTree } from '../audit/temp-tree.js';
import { endingProcess, type EndingProcess } from './keeping.js';

const PRISMA = 'declare const prisma: { step: { update(args: object): Promise<unknown>; updateMany(args: object): Promise<{ count: number }> } };\n';
const FINISH = 'export async function finish(id: string) { await prisma.step.update({ where: { id }, data: { status: \'succeeded\' } }); }\n';
const CANCEL = 'export async function cancel(id: string) { await prisma.step.update({ where: { id }, data: { status: \'cancelled\' } }); }\n';
const lockerOf = (ttl: string, tag = ''): string => `import Redlock from 'redlock';
declare const client: object;
const redlock = new Redlock([client]);
${tag}export async function takeStep(id: string) { return redlock.acquire(['step:' + id], ${ttl}); }
`;

/** What each file may hold, one text after the other; undefined: it is not there. What they say of each other reaches across files. */
const TEXTS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'src/store.ts': [PRISMA + FINISH + CANCEL, `\n${PRISMA}${FINISH}${CANCEL}`, PRISMA + FINISH, `${PRISMA}/** @requiresLock id */\n${FINISH}${CANCEL}`],
  'src/worker.ts': [
    'import { Worker } from \'bullmq\';\nimport { finish } from \'./store.js\';\nexport const worker = new Worker(\'steps\', async (job: { data: { id: string } }) => { await finish(job.data.id); });\n',
    'import { finish } from \'./store.js\';\nimport { takeStep } from \'@app/locker.js\';\nexport async function run(id: string) {\n  const lock = await takeStep(id);\n  await finish(id);\n  await lock.release();\n}\n',
    undefined,
  ],
  'src/cancel.ts': [
    'import express from \'express\';\nimport { cancel } from \'./store.js\';\nconst app = express();\napp.post(\'/cancel\', async (req: { body: { id: string } }) => { await cancel(req.body.id); });\n',
    'import { cancel } from \'./index.js\';\nexport async function stop(id: string) { await cancel(id); }\n',
    undefined,
  ],
  'src/locker.ts': [lockerOf('5000'), lockerOf('0'), lockerOf('5000', '/** @acquiresLock key=id */\n'), undefined],
  'src/index.ts': ['export * from \'./store.js\';\nexport * from \'./locker.js\';\n', 'export {};\n', undefined],
  'src/plain.ts': ['import { takeStep } from \'./locker.js\';\nexport async function go(id: string) { await takeStep(id); }\n', 'export const nothing = 1;\n'],
  // Where `@app/` leads first, when it is there.
  'over/locker.ts': [undefined, lockerOf('0')],
};
const FILES = Object.keys(TEXTS);
const BEGIN = 'export declare function start(id: string): Promise<boolean>;\n';
const textOf = (path: string): string => TEXTS[path]?.[0] ?? '';
const cacheOf = (root: string): string => join(root, 'node_modules/.cache/step-lock');
const TSCONFIG = '{ "compilerOptions": { "module": "nodenext", "strict": true, "types": [], "noLib": true, "paths": { "@app/*": ["./over/*", "./src/*"] } }, "include": ["src", "over"] }';
const ROOT_FILES = { 'tsconfig.json': TSCONFIG, 'package.json': '{ "type": "module" }', 'node_modules/x/package.json': '{}' };

type Plugin = ReturnType<typeof createPlugin>;

function linter(root: string, { configs }: Plugin, more: Linter.ParserOptions = { disallowAutomaticSingleRunInference: true }): ESLint {
  const parserOptions = { project: true, tsconfigRootDir: root, ...more };
  return new ESLint({ cwd: root, overrideConfigFile: true, overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser, parserOptions } }, ...configs.strict] });
}

async function lint(eslint: ESLint, path: string): Promise<readonly Linter.LintMessage[]> {
  return (await eslint.lintFiles([path])).flatMap(({ messages }) => messages);
}

const UNKEPT = createPlugin({ rules, judging: () => judging });

afterEach(() => { vi.unstubAllEnvs(); });

/** A step of a person at work: an edit, a lint of some files in some order, the end of a process. */
const STEP = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), file: fc.constantFrom(...FILES), text: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('lint' as const), files: fc.shuffledSubarray(FILES, { minLength: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

describe('with a program', () => {
  it('kept findings are those of a run that keeps none, whatever was edited, linted and ended in between', async () => {
    let hits = 0;
    await fc.assert(fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 10 }), async (steps) => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'step-lock-kept-')));
      const held = new Map<string, string>();
      const put = (path: string, text: string | undefined): void => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        if (text === undefined) rmSync(join(root, path), { force: true });
        else writeFileSync(join(root, path), text);
        if (text === undefined) held.delete(path);
        else held.set(path, text);
      };
      Object.entries(ROOT_FILES).forEach(([path, text]) => { put(path, text); });
      FILES.forEach((path) => { put(path, TEXTS[path]?.[0]); });
      let judged = 0;
      const counting = { judge: (...asked: Parameters<typeof judging.judge>) => { judged++; return judging.judge(...asked); } };
      const begin = () => {
        const process = endingProcess();
        return { process, eslint: linter(root, createPlugin({ rules, judging: () => counting, keeping: process })) };
      };
      let now = begin();
      const compare = async (files: readonly string[]): Promise<void> => {
        const plain = linter(root, UNKEPT);
        for (const path of files.filter((one) => held.has(one))) {
          const before = judged;
          expect(await lint(now.eslint, path)).toEqual(await lint(plain, path));
          if (judged === before) hits++;
        }
      };
      try {
        for (const step of [...steps, { kind: 'restart' as const }, { kind: 'lint' as const, files: FILES }]) {
          if (step.kind === 'edit') put(step.file, TEXTS[step.file]?.[step.text % (TEXTS[step.file]?.length ?? 1)]);
          if (step.kind === 'lint') await compare(step.files);
          if (step.kind !== 'restart') continue;
          now.process.end();
          typescriptParser.clearCaches();
          now = begin();
        }
      } finally {
        typescriptParser.clearCaches();
        rmSync(root, { recursive: true });
      }
    }), { numRuns: 12, seed: 7 });
    expect(hits).toBeGreaterThan(10);
  }, 240_000);

  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
    ['another file begins to name a function of it', { 'src/cancel.ts': 'export {};\n' }, { 'src/cancel.ts': textOf('src/cancel.ts') }, 'src/store.ts'],
    ['a file comes that calls a function of it', {}, { 'src/more.ts': textOf('src/cancel.ts') }, 'src/store.ts'],
    ['a function that it calls is tagged', { 'src/plain.ts': 'import { start } from \'./begin.js\';\nexport async function go(id: string) { await start(id); }\n', 'src/begin.ts': BEGIN }, { 'src/begin.ts': `/** @acquiresLock key=id */\n${BEGIN}` }, 'src/plain.ts'],
    ['its import leads elsewhere', { 'src/plain.ts': 'import { start } from \'@app/begin.js\';\nexport async function go(id: string) { await start(id); }\n', 'src/begin.ts': `/** @acquiresLock key=id */\n${BEGIN}` }, { 'over/begin.ts': 'export {};\n' }, 'src/plain.ts'],
  ])('a file is judged anew when %s', async (_, given, then, path) => {
    const root = tempTree({ ...ROOT_FILES, 'src/store.ts': textOf('src/store.ts'), 'src/worker.ts': textOf('src/worker.ts'), 'src/locker.ts': textOf('src/locker.ts'), ...given });
    const inOne = async (plugin: (keeping: EndingProcess) => Plugin): Promise<readonly Linter.LintMessage[]> => {
      const process = endingProcess();
      typescriptParser.clearCaches();
      const found = await lint(linter(root, plugin(process)), path);
      process.end();
      return found;
    };
    const kept = (keeping: EndingProcess): Plugin => createPlugin({ rules, judging: () => judging, keeping });
    const before = await inOne(kept);
    expect(await inOne((keeping) => createPlugin({ rules, judging: () => { throw new Error('is judged'); }, keeping }))).toEqual(before);
    for (const [name, text] of Object.entries(then)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const after = await inOne(() => UNKEPT);
    expect(after).not.toEqual(before);
    expect(await inOne(kept)).toEqual(after);
    typescriptParser.clearCaches();
  });

  it('a file that is linted again in CI, in a program of its own, is judged as in that one', async () => {
    vi.stubEnv('CI', 'true');
    const root = tempTree({ ...ROOT_FILES, ...Object.fromEntries(FILES.flatMap((path) => (TEXTS[path]?.[0] === undefined ? [] : [[path, TEXTS[path][0]]]))) });
    const keptText = (): string => readdirSync(cacheOf(root)).map((name) => readFileSync(join(cacheOf(root), name), 'utf8')).join();
    const inOne = async (): Promise<readonly Linter.LintMessage[]> => {
      const process = endingProcess();
      const found = await lint(linter(root, createPlugin({ rules, judging: () => judging, keeping: process }), {}), 'src/store.ts');
      process.end();
      return found;
    };
    typescriptParser.clearCaches();
    const first = await inOne();
    const before = keptText();
    const alone = await lint(linter(root, UNKEPT, {}), 'src/store.ts');
    expect(alone).not.toEqual(first);
    expect(await inOne()).toEqual(alone);
    expect(keptText()).toBe(before);
    typescriptParser.clearCaches();
  });
});
