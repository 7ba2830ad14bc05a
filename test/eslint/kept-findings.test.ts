import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { createPlugin } from '../../src/eslint/create-plugin.js';
import { judging } from '../../src/eslint/own-judging.js';
import { tempTree } from '../audit/temp-tree.js';
import { entry, FAULTY } from '../exceptions/faulty.js';
import { fakeEngine, fakeRule, pluginWith, type FakeEngine } from './fake-engine.js';
import { endingProcess, type EndingProcess } from './keeping.js';

const RULES = [fakeRule('lock-rule'), fakeRule('state-rule', { family: 'state' })];
const TEXT = 'const a = 1;\nfaultyLock(a);\n';
const FILE = 'a.ts';
const cacheOf = (root: string): string => join(root, 'node_modules/.cache/step-lock');

interface Run {
  readonly file?: string;
  readonly text?: string;
  readonly engine?: FakeEngine;
  readonly settings?: object;
  readonly extra?: Linter.Config;
  readonly parser?: Linter.Parser;
  readonly process?: EndingProcess;
}

function tree(files: Readonly<Record<string, string>> = {}): string {
  return tempTree({ 'node_modules/x/package.json': '{}', [FILE]: TEXT, ...files });
}

/** One ESLint process: what it says of a file, and how often it had to judge one. */
function run(root: string, { file = FILE, text, engine = fakeEngine(RULES), settings = {}, extra = {}, parser = typescriptParser, process = endingProcess() }: Run = {}) {
  const config: Linter.Config[] = [{ files: ['**/*.{ts,tsx,js}'], languageOptions: { parser } }, ...pluginWith(engine, process).configs.recommended, { settings: { 'step-lock': { profile: 'recommended', ...settings } } }, extra];
  const path = join(root, file);
  const messages = new Linter({ cwd: root }).verify(text ?? (existsSync(path) ? readFileSync(path, 'utf8') : TEXT), config, { filename: path });
  process.end();
  return { messages, judged: engine.asked.length };
}

describe('findings are kept', () => {
  it('with their suggestions, and nothing is judged for them', () => {
    const root = tree();
    const first = run(root);
    expect(first.messages).toHaveLength(2);
    expect(first.messages[0]?.suggestions).toHaveLength(1);
    expect(first.judged).toBeGreaterThan(0);
    expect(run(root)).toEqual({ messages: first.messages, judged: 0 });
  });

  it('and that there are none', () => {
    const root = tree({ [FILE]: 'lock();\n' });
    expect(run(root)).toEqual({ messages: [], judged: 1 });
    expect(run(root)).toEqual({ messages: [], judged: 0 });
  });

  it('until the process ends, of a text that is linted again', () => {
    const root = tree();
    const [engine, process] = [fakeEngine(RULES), endingProcess()];
    const plugin = pluginWith(engine, process);
    const lint = (): Linter.LintMessage[] => new Linter({ cwd: root }).verify(TEXT, [{ files: ['**/*.ts'] }, { languageOptions: { parser: typescriptParser } }, ...plugin.configs.recommended], { filename: join(root, FILE) });
    const first = lint();
    const { length } = engine.asked;
    expect(lint()).toEqual(first);
    expect(engine.asked).toHaveLength(length);
    expect(existsSync(cacheOf(root))).toBe(false);
  });

  it('by a rule that was off, once its suggestions are tried', () => {
    const root = tree();
    const off = run(root, { extra: { rules: { 'step-lock/state-rule': 'off' } } });
    expect(off.messages).toHaveLength(1);
    const on = run(root);
    expect(on.messages).toEqual(run(tree()).messages);
    expect(on.judged).toBeGreaterThan(0);
    expect(run(root)).toEqual({ messages: on.messages, judged: 0 });
  });

  it.each<[string, (root: string) => Run]>([
    ['another text', () => ({ text: `${TEXT}\n` })],
    ['other settings', () => ({ settings: { certainty: 'certain' } })],
    ['another parser', () => ({ parser: { ...typescriptParser, meta: { name: 'other', version: '1' } } })],
    ['another version of step-lock', () => ({ process: endingProcess('other') })],
    ['another file', (root) => { writeFileSync(join(root, 'b.ts'), TEXT); return { file: 'b.ts' }; }],
    ['an exceptions file', (root) => { writeFileSync(join(root, 'step-lock.exceptions.json'), entry()); return {}; }],
    ['a broken cache', (root) => {
      const [name = ''] = readdirSync(cacheOf(root));
      const kept = readFileSync(join(cacheOf(root), name), 'utf8');
      writeFileSync(join(cacheOf(root), name), kept.replace('lock-rule', 'lock-rune'));
      return {};
    }],
    ['half a cache', (root) => {
      const [name = ''] = readdirSync(cacheOf(root));
      const kept = readFileSync(join(cacheOf(root), name), 'utf8');
      writeFileSync(join(cacheOf(root), name), kept.slice(0, kept.length / 2));
      return {};
    }],
  ])('and judged anew with %s', (_, change) => {
    const root = tree();
    run(root);
    const options = change(root);
    const anew = run(root, options);
    expect(anew.judged).toBeGreaterThan(0);
    expect(anew.messages).toHaveLength(2);
    expect(run(root, options)).toEqual({ messages: anew.messages, judged: 0 });
  });

  it('beside those that another process keeps at the same time', () => {
    const root = tree({ 'b.ts': TEXT });
    const [one, two] = [endingProcess(), endingProcess()];
    run(root, { process: { ...one, end: () => undefined } });
    run(root, { file: 'b.ts', process: { ...two, end: () => undefined } });
    one.end();
    two.end();
    expect([run(root).judged, run(root, { file: 'b.ts' }).judged]).toEqual([0, 0]);
    expect(readdirSync(cacheOf(root))).toHaveLength(1);
  });

  it('in the folder that the settings name', () => {
    const root = tree();
    run(root, { settings: { cache: '.kept' } });
    expect(run(root, { settings: { cache: '.kept' } }).judged).toBe(0);
    expect([readdirSync(join(root, '.kept')).length, existsSync(cacheOf(root))]).toEqual([1, false]);
  });

  it('not of files that are gone', () => {
    const root = tree();
    run(root);
    writeFileSync(join(root, 'b.ts'), TEXT);
    rmSync(join(root, FILE));
    run(root, { file: 'b.ts' });
    const [name = ''] = readdirSync(cacheOf(root));
    const kept = readFileSync(join(cacheOf(root), name), 'utf8');
    expect([kept.includes('b.ts'), kept.includes('a.ts')]).toEqual([true, false]);
  });
});

describe('nothing is kept', () => {
  it('where the settings say so', () => {
    const root = tree();
    run(root, { settings: { cache: false } });
    expect(existsSync(cacheOf(root))).toBe(false);
    run(root);
    expect(run(root, { settings: { cache: false } }).judged).toBeGreaterThan(0);
  });

  it('of a text without a file', () => {
    const root = tree();
    run(root, { file: 'gone.ts' });
    expect(run(root, { file: 'gone.ts' }).judged).toBeGreaterThan(0);
  });

  it('where no folder can be written to', () => {
    const root = tree({ 'node_modules/.cache': 'a file' });
    const { messages } = run(root);
    expect(run(root)).toMatchObject({ messages });
    expect(run(root).judged).toBeGreaterThan(0);
  });

  it('and a wrong setting is refused', () => {
    expect(() => run(tree(), { settings: { cache: 1 } })).toThrow('`cache` in ESLint settings[\'step-lock\'] must be `true`, `false` or a folder, not `1`.');
  });
});

describe('kept findings heed', () => {
  /** The real rules. */
  function lint(root: string, settings: object = {}): readonly (string | null)[] {
    const process = endingProcess();
    const { configs } = createPlugin({ rules, judging: () => judging, keeping: process });
    const config: Linter.Config[] = [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser } }, ...configs.recommended, { settings: { 'step-lock': settings } }];
    const found = new Linter({ cwd: root }).verify(readFileSync(join(root, FILE), 'utf8'), config, { filename: join(root, FILE) });
    process.end();
    return found.map(({ ruleId }) => ruleId);
  }
  const commented = FAULTY.replace('  const won', '  // step-lock-ignore-next-line require-ttl -- owner: platform, expires: 2027-03-01, reason: single worker\n  const won');
  const file = (expires: string): string => entry({ rule: 'require-ttl', file: FILE, expires });

  it('exceptions in a comment, on each day', () => {
    const root = tree({ [FILE]: commented });
    const days = ['2027-03-01', '2027-03-02', '2027-03-01', '2027-03-02'];
    expect(days.map((asOf) => lint(root, { asOf }))).toEqual([[], ['step-lock/require-ttl'], [], ['step-lock/require-ttl']]);
  });

  it('exceptions in a file that comes, changes and goes', () => {
    const root = tree({ [FILE]: FAULTY });
    const path = join(root, 'step-lock.exceptions.json');
    const said = (text: string | undefined): readonly (string | null)[] => {
      if (text === undefined) rmSync(path, { force: true });
      else writeFileSync(path, text);
      return [...lint(root, { asOf: '2027-03-01' }), ...lint(root, { asOf: '2027-03-01' })];
    };
    const twice = ['step-lock/require-ttl', 'step-lock/require-ttl'];
    expect([said(undefined), said(file('2027-03-01')), said(file('2027-02-27')), said(undefined)]).toEqual([twice, [], twice, twice]);
  });

  it('the limits that the platform sets to a run', () => {
    const text = `import type { Redis } from 'ioredis';
declare const redis: Redis;
declare const feeds: { pull(): Promise<void> };
export async function GET(): Promise<void> {
  if ((await redis.set('lock:feeds', '1', 'EX', 300, 'NX')) !== 'OK') return;
  try { await feeds.pull(); } finally { await redis.del('lock:feeds'); }
}
`;
    const root = tree({ [FILE]: text });
    const within = (seconds: number): boolean => {
      writeFileSync(join(root, 'vercel.json'), JSON.stringify({ functions: { '*.ts': { maxDuration: seconds } } }));
      return lint(root).includes('step-lock/require-atomic-release');
    };
    expect([900, 900, 300, 300, 900].map(within)).toEqual([true, true, false, false, true]);
  });
});
