import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { reported } from '../../src/engine/judge/reported.js';
import { allFixtures } from '../fixtures/fixture-files.js';
import { analyseText } from '../fixtures/front-ends.js';
import { seeded, shuffledLines, truncated } from './seeded.js';
import { installedSources, readText } from './sources.js';

/** Longer than any file of this size may take on a slow machine: what takes longer hangs in an editor. */
const LIMIT_MS = 300_000;

const installed = installedSources();

describe('no source file breaks the engine', () => {
  it('installed packages', () => {
    expect(installed.length).toBeGreaterThan(500);
    expect(installed.flatMap((path) => faults(path, readText(path)))).toEqual([]);
  }, LIMIT_MS);

  it.each([['truncated', truncated], ['shuffled', shuffledLines]] as const)('installed packages, %s', (_, mangle) => {
    const sample = installed.filter((path, index) => index % 4 === 0);
    expect(sample.flatMap((path, index) => faults(path, mangle(readText(path), seeded(index))))).toEqual([]);
  }, LIMIT_MS);

  it.each([['truncated', truncated], ['shuffled', shuffledLines]] as const)('fixtures, %s in five ways', (_, mangle) => {
    const variants = allFixtures().flatMap(({ path }, index) => [0, 1, 2, 3, 4].map((round) => ({ path, text: mangle(readText(path), seeded(index * 5 + round)) })));
    expect(variants.flatMap(({ path, text }) => faults(path, text))).toEqual([]);
  }, LIMIT_MS);

  it.each([['empty', ''], ['only a byte order mark', '\uFEFF'], ['null bytes', 'lock\0\0status'], ['deeply nested', `lock(${'('.repeat(600)}status${')'.repeat(600)})`], ['a long chain', `lock${'.status()'.repeat(1_500)}`]])('%s', (_, text) => {
    expect(faults('/odd.ts', text)).toEqual([]);
  });
});

/** What is wrong with the analysis of a text, one sentence each: a crash, or a finding that points outside of the text. */
function faults(path: string, text: string): string[] {
  try {
    const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).length;
    const outside = reported(analyseText(path, text).sites, rules, 'strict').filter(({ outcome: { at, suggestions = [] } }) =>
      at.line < 1 || at.endLine > lines || at.column < 1 || suggestions.some(({ edits }) => edits.some(({ start, end }) => start > end || end > text.length)));
    return [
      ...outside.map(({ rule, outcome }) => `${path}: ${rule.id} points outside of the file, at line ${outcome.at.line}`),
    ];
  } catch (error) {
    return [`${path}: ${error instanceof Error ? error.stack ?? error.message : String(error)}`];
  }
}
