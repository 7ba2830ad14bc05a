import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { REPORTERS } from '../../src/post/reporters.js';
import { commandLines, refused } from './command-lines.js';

const page = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));

describe('docs/ci.md', () => {
  const lines = [...new Map(commandLines(page.replaceAll('<ref>', 'main')).map((line) => [line.join(' '), line])).entries()];

  it('has command lines', () => {
    expect(lines.length).toBeGreaterThan(6);
  });

  it.each(lines)('step-lock %s parses', async (_, args) => {
    expect(await refused(args)).toBeUndefined();
  });

  it('has snippets that are YAML and JSON', () => {
    const yaml = blocks.filter(({ language }) => language === 'yaml').map(({ code }): unknown => parse(code));
    expect(yaml).toHaveLength(6);
    expect(yaml[0]).toMatchObject({ permissions: { 'pull-requests': 'write' }, jobs: { review: { steps: expect.arrayContaining([expect.objectContaining({ with: expect.objectContaining({ 'fetch-depth': 0 }) })]) } } });
    expect(blocks.filter(({ language }) => language === 'json').map(({ code }): unknown => JSON.parse(code))).toHaveLength(1);
  });

  it('names every reporter', () => {
    expect(REPORTERS.filter((reporter) => !page.includes(`| \`${reporter}\` |`))).toEqual([]);
  });

  it('says that hooks can be stale and that the review decides', () => {
    expect(page).toMatch(/Under lint-staged and with `eslint --cache`, rules that look at other files .* can be stale/s);
    expect(page).toContain('The `review` in CI decides.');
  });
});

describe('a command line that does not parse', () => {
  it.each([['audit', '--no-such-flag'], ['review'], ['audit', '--reporter', 'github'], ['audit', '--pull-request', 'x']])('%s %s is found', async (...args) => {
    expect(await refused(args)).toMatch(/^error: /);
  });
});
