import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCommandLine } from '../../../scripts/bench/command-line.mjs';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'step-lock-bench-arguments-'));
  mkdirSync(join(home, 'repo/worker'), { recursive: true });
});
afterAll(() => { rmSync(home, { recursive: true, force: true }); });

const mistake = (...args: string[]): string | undefined => readCommandLine(args, home).mistake;

test('A checkout alone is measured whole, in five rounds, with all rows', () => {
  const read = readCommandLine(['repo'], home);
  expect(read).toMatchObject({ checkout: join(home, 'repo'), path: '.', tsconfig: 'tsconfig.json', runs: 5, copies: [1, 2, 4, 8] });
  expect(read).toHaveProperty('rows', expect.arrayContaining(['cold', 'tsc6', 'scaling']));
});

test('Rows keep their order, whatever the order they are named in', () => {
  expect(readCommandLine(['repo', '--path', 'worker', '--only', 'cold,node,warm', '--skip', 'warm', '--runs', '1'], home)).toMatchObject({ path: 'worker', rows: ['node', 'cold'], runs: 1 });
});

test.each([
  [[], 'Name one checkout'],
  [['repo', 'worker'], 'Name one checkout'],
  [['nowhere'], 'There is no folder'],
  [['repo', '--only', 'cold,tsc8'], 'There is no row tsc8. The rows are node,'],
  [['repo', '--runs', '0'], '--runs takes a whole number from 1, not 0.'],
  [['repo', '--copies', '1,many'], '--copies takes whole numbers'],
  [['repo', '--fast'], "Unknown option '--fast'"],
])('%j is answered with a sentence', (args, sentence) => {
  expect(mistake(...args)).toContain(sentence);
});
