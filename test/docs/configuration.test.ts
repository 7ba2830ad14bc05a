import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { loadConfig } from '../../src/config/load-config.js';
import { mergeModels } from '../../src/config/merge-models.js';
import { DOC_TAGS } from '../../src/engine/syntax/doc-comments.js';
import { analyse } from '../../src/engine/engine.js';
import { reported } from '../../src/engine/judge/reported.js';
import { builtInModels } from '../../src/models/index.js';
import { tempTree } from '../audit/temp-tree.js';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/configuration.md', import.meta.url)), 'utf8');

interface Example { readonly section: string; readonly config: string | undefined; readonly kind: 'wrong' | 'right'; readonly rules: readonly string[]; readonly code: string }

/** Each example with the configuration of its section. */
const EXAMPLES: readonly Example[] = PAGE.split(/^## /m).slice(1).flatMap((section): Example[] => {
  const blocks = [...section.matchAll(/^```ts (config|wrong|right)([^\n]*)\n([\s\S]*?)^```/gm)].map(([, kind = '', words = '', code = '']) => ({ kind, words: words.trim().split(' ').filter((w) => w !== ''), code }));
  const config = blocks.find((b) => b.kind === 'config')?.code;
  return blocks.flatMap((b) => (b.kind === 'wrong' || b.kind === 'right' ? [{ section: section.slice(0, section.indexOf('\n')), config, kind: b.kind, rules: b.words, code: b.code }] : []));
});

async function findings({ config, code }: Example, without = false): Promise<string[]> {
  const read = config === undefined || without ? {} : (await loadConfig(tempTree({ 'step-lock.config.ts': config }))).config;
  const file = ts.createSourceFile('example.ts', code, ts.ScriptTarget.Latest, true);
  const { sites, errors } = analyse([file], { ts, models: mergeModels(builtInModels, read), rules });
  expect(errors).toEqual([]);
  return reported(sites, rules, 'recommended').map(({ rule }) => rule.id);
}

describe('docs/configuration.md', () => {
  it('has examples of both kinds', () => {
    expect(EXAMPLES.filter((e) => e.kind === 'wrong').length).toBeGreaterThan(4);
    expect(EXAMPLES.filter((e) => e.kind === 'right').length).toBeGreaterThan(4);
  });

  it.each(EXAMPLES.filter((e) => e.kind === 'wrong'))('$section: finds $rules', async (example) => {
    expect((await findings(example)).sort()).toEqual([...example.rules].sort());
  });

  it.each(EXAMPLES.filter((e) => e.kind === 'right'))('$section: finds nothing in what is right', async (example) => {
    expect(await findings(example)).toEqual([]);
  });

  it.each(EXAMPLES.filter((e) => e.kind === 'wrong' && e.config !== undefined))('$section: without its configuration finds nothing', async (example) => {
    expect(await findings(example, true)).toEqual([]);
  });

  it('shows a configuration that can be read in each block', async () => {
    const blocks = [...PAGE.matchAll(/^```ts config\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
    for (const code of blocks) expect(Object.keys((await loadConfig(tempTree({ 'step-lock.config.ts': code }))).config)).not.toEqual([]);
  });

  it('tells of each tag', () => {
    expect(DOC_TAGS.filter((tag) => !PAGE.includes(`| \`@${tag}\` |`))).toEqual([]);
  });
});
