import { Linter } from 'eslint';
import { defineConfig } from 'eslint/config';
import * as typescriptParser from '@typescript-eslint/parser';
import tseslint from 'typescript-eslint';
import ownTypeScript from 'typescript';
import { describe, expect, it } from 'vitest';
import realPlugin from '../../src/eslint/index.js';
import { rules as realRules } from '../../rules/index.js';
import { fakeEngine, fakeRule, pluginWith, type FakeEngine } from './fake-engine.js';

const RULES = [fakeRule('lock-rule'), fakeRule('state-rule', { family: 'state' }), fakeRule('strict-rule', { profile: 'strict' })];
const ALL_FILES = ['**/*.{ts,tsx,mts,cts,js,mjs,cjs,jsx,vue}'];

interface LintOptions {
  readonly file?: string;
  readonly parser?: Linter.Parser;
  readonly profile?: 'recommended' | 'strict';
  readonly extra?: Linter.Config;
  readonly engine?: FakeEngine;
}

function lint(text: string, { file = 'a.ts', parser = typescriptParser, profile = 'recommended', extra = {}, engine = fakeEngine(RULES) }: LintOptions = {}) {
  const plugin = pluginWith(engine);
  return new Linter().verify(text, [{ files: ALL_FILES }, { languageOptions: { parser } }, ...plugin.configs[profile], extra], { filename: file });
}

const espree = await import('espree');

describe('plugin', () => {
  it('fits defineConfig and tseslint.config by its types', () => {
    expect(defineConfig({ extends: [realPlugin.configs.recommended] })).toHaveLength(1);
    expect(defineConfig({ plugins: { 'step-lock': realPlugin }, extends: ['step-lock/strict'] }).length).toBeGreaterThan(0);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- users still have it
    expect(tseslint.config(realPlugin.configs.strict)).toHaveLength(1);
  });

  it('has one ESLint rule for each rule, and configs that name only its own rules', () => {
    expect(Object.keys(realPlugin.rules).sort()).toEqual(realRules.map((rule) => rule.id).sort());
    expect(realPlugin.meta).toEqual({ name: 'step-lock', version: expect.stringMatching(/^\d/), namespace: 'step-lock' });
    for (const rule of realRules) {
      expect(realPlugin.rules[rule.id]?.meta).toMatchObject({ type: 'problem', hasSuggestions: true, schema: [], messages: rule.messages });
      expect(realPlugin.rules[rule.id]?.meta?.docs?.url).toContain(`docs/rules/${rule.id}.md`);
      expect(realPlugin.configs.strict[0]?.rules).toHaveProperty([`step-lock/${rule.id}`], rule.family === 'lock-use' ? 'error' : 'warn');
    }
  });

  it('turns rules on by profile and family', () => {
    const { configs } = pluginWith(fakeEngine(RULES));
    expect(configs.recommended[0]?.rules).toEqual({ 'step-lock/lock-rule': 'error', 'step-lock/state-rule': 'warn' });
    expect(configs.strict[0]?.rules).toEqual({ 'step-lock/lock-rule': 'error', 'step-lock/state-rule': 'warn', 'step-lock/strict-rule': 'error' });
  });
});

describe('report', () => {
  it('puts message, place and suggestion where the outcome says', () => {
    const [first, second, ...others] = lint('const a = 1;\n  faultyLock(a);\n');
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      ruleId: 'step-lock/lock-rule', severity: 2, messageId: 'faulty', message: '`faultyLock` of lock-rule is faulty.',
      line: 2, column: 3, endLine: 2, endColumn: 16,
      suggestions: [{ desc: 'Call `lock` instead.', fix: { range: [15, 25], text: 'lock' } }],
    });
    expect(second).toMatchObject({ ruleId: 'step-lock/state-rule', severity: 1 });
  });

  it('offers no suggestion that breaks the text, keeps the fault or brings another', () => {
    const offered = (put: string): number => lint('faultyLock();', { engine: fakeEngine(RULES, put) }).flatMap(({ suggestions = [] }) => suggestions).length;
    expect(offered('lock')).toBe(2);
    expect(['lock(', 'faultyLock', 'lock(faultyLock(1)), faultyLock'].map(offered)).toEqual([0, 0, 0]);
  });

  it('tries a bounded number of suggestions, only of what it reports', () => {
    const engine = fakeEngine(RULES);
    lint('faultyLock(); '.repeat(40), { engine });
    expect(engine.asked).toHaveLength(1 + 12);
    const quiet = fakeEngine(RULES);
    lint(`faultyLock('possible');`, { engine: quiet });
    expect(quiet.asked).toHaveLength(1);
  });

  it('leaves findings of other files to their own run', () => {
    expect(lint(`faultyLock('elsewhere');`)).toEqual([]);
  });

  it('shows a possible fault only in the strict profile', () => {
    expect(lint(`faultyLock('possible');`)).toEqual([]);
    expect(lint(`faultyLock('possible');`, { profile: 'strict' })).toHaveLength(3);
  });

  it('reports a strict rule that was switched on by hand', () => {
    const found = lint('faultyLock();', { extra: { rules: { 'step-lock/strict-rule': 'warn' } } });
    expect(found.map((message) => message.ruleId)).toContain('step-lock/strict-rule');
  });

  it('keeps what is less sure than the certainty setting to itself', () => {
    const extra = { settings: { 'step-lock': { profile: 'strict', certainty: 'likely' } } };
    expect(lint(`faultyLock('possible'); faultyLock();`, { profile: 'strict', extra })).toHaveLength(3);
  });

  it.each([
    [{ profile: 'all' }, '`profile` in ESLint settings[\'step-lock\'] must be one of `recommended`, `strict`, not `all`.'],
    [{ certanty: 'likely' }, 'has no key `certanty`'],
  ])('refuses the settings %j', (settings, complaint) => {
    expect(() => lint('faultyLock();', { extra: { settings: { 'step-lock': settings } } })).toThrow(complaint);
  });
});

describe('source', () => {
  it('judges a file once for all rules, and a file without the words never', () => {
    const engine = fakeEngine(RULES);
    const text = 'faultyLock(); faultyLock();';
    lint(text, { engine });
    // What the suggestions make of the text is judged beside it.
    expect(engine.asked.filter(({ files }) => files[0]?.text === text)).toHaveLength(1);
    const before = engine.asked.length;
    lint('const nothing = 1;', { engine });
    expect(engine.asked).toHaveLength(before);
  });

  it("takes the parser's own tree and TypeScript", () => {
    const engine = fakeEngine(RULES);
    lint('faultyLock();', { engine });
    expect(engine.asked[0]?.ts).toBe(ownTypeScript);
    expect(engine.asked[0]?.project.filesMentioning('faultyLock')).toBe('cannot-say');
  });

  it.each([
    ['a.js', 'faultyLock(1);'], ['a.mjs', 'await faultyLock(1);'], ['a.jsx', 'const a = <b c={faultyLock(1)}/>;'],
    ['a.js', '#!/usr/bin/env node\n\tfaultyLock(1);'], ['a.js', '\uFEFFfaultyLock(1);'], ['a.js', 'let a;\r\n faultyLock(1);'],
  ])('gives the same places under espree as under the TypeScript parser: %s %j', (file, text) => {
    const extra: Linter.Config = { languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } } };
    const places = (parser: Linter.Parser) => lint(text, { file, parser, extra }).map(({ ruleId, line, column, endLine, endColumn }) => ({ ruleId, line, column, endLine, endColumn }));
    expect(places(espree)).toHaveLength(2);
    expect(places(espree)).toEqual(places(typescriptParser));
  });

  it.each(['a.ts', 'a.tsx', 'a.mts', 'a.cts', 'a.js', 'a.mjs', 'a.cjs', 'a.jsx'])('judges %s', (file) => {
    expect(lint('faultyLock();', { file })).toHaveLength(2);
  });

  it('is silent on a file that is no JavaScript or TypeScript', () => {
    const engine = fakeEngine(RULES);
    expect(lint('faultyLock();', { file: 'a.vue', engine })).toEqual([]);
    expect(engine.asked).toEqual([]);
  });

  it('survives a parser whose node map belongs to another TypeScript', () => {
    const foreign: Linter.Parser = {
      parseForESLint(text, options) {
        const parsed = typescriptParser.parseForESLint(text, options as typescriptParser.ParserOptions);
        class OtherSourceFile { readonly text = text; readonly kind = 1; }
        return { ...parsed, services: { esTreeNodeToTSNodeMap: { get: () => new OtherSourceFile() } } } as unknown as Linter.ESLintParseResult;
      },
    };
    expect(lint('faultyLock();', { parser: foreign })).toHaveLength(2);
  });
});
