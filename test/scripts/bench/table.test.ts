import { expect, test } from 'vitest';
import { ratiosTable, rowsTable, scalingTable } from '../../../scripts/bench/table.mjs';

const run = (wallMs: number, cpuMs: number, mebibytes: number): { wallMs: number; cpuMs: number; peakKiB: number } => ({ wallMs, cpuMs, peakKiB: mebibytes * 1024 });
const cold = { id: 'cold', words: '`audit`', runs: [run(2000, 3000, 200), run(4000, 5000, 220), run(2200, 3300, 210)], note: '7 files' };
const tsc = { id: 'tsc6', words: '`tsc`', runs: [run(20_000, 30_000, 1000), run(40_000, 50_000, 1100), run(22_000, 33_000, 1050)] };

test('A row has medians with the least and the most, and its note', () => {
  expect(rowsTable([cold]).split('\n')).toEqual([
    '| row | what runs | wall s (least-most) | CPU s (least-most) | peak MiB | note |',
    '| --- | --- | --- | --- | --- | --- |',
    '| cold | `audit` | 2.20 (2.00-4.00) | 3.30 (3.00-5.00) | 210 | 7 files |',
  ]);
});

test('A row that did not run says why, and no ratio is made of it', () => {
  const failed = { ...tsc, failed: "checked no types: TS2688 'a' | 'b'" };
  expect(rowsTable([failed])).toContain("| tsc6 | `tsc` | - | - | - | checked no types: TS2688 'a' \\| 'b' |");
  expect(ratiosTable([cold, failed])).toBe('');
});

test('What stands beside one another is a ratio of wall, CPU and memory', () => {
  expect(ratiosTable([cold, tsc])).toContain('| cold / tsc6 | 0.10x | 0.10x | 0.20x |');
});

test('A figure that the machine cannot tell is left out', () => {
  expect(rowsTable([{ id: 'tsc7', words: 'x', runs: [{ wallMs: 50 }] }])).toContain('| tsc7 | x | 0.050 | - | - |  |');
});

test('Where no row was asked for there is no empty table', () => {
  expect(rowsTable([])).toBe('');
});

test('The share of our rules is the median of the rounds', () => {
  const runs = [0.01, 0.03, 0.02].map((share) => ({ ...run(1, 1, 1), share }));
  expect(rowsTable([{ id: 'eslint-typed-ours', words: 'x', runs, note: '3 files' }])).toContain('3 files, our rules 2.00 % of the CPU');
});

test('Scaling is told by a straight line, its distance and the power of the last step', () => {
  const text = scalingTable([1, 2, 4, 8].map((copies) => ({ copies, files: 10 * copies, runs: [run(1000 + 500 * copies, 2000 * copies, 100)] })));
  expect(text).toContain('| 8x | 80 | 5.00 | 16.0 | 100 |');
  expect(text).toContain('- wall: 0.50 s a copy + 1.00 s; no size is further than 0 % from that line');
  expect(text).toContain('- CPU: 2.00 s a copy + 0.000 s; no size is further than 0 % from that line; the last step grows with the power 1.00 of the size');
});
