import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const BENCH = fileURLToPath(new URL('../../../scripts/bench.mjs', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../../../fixtures/projects/agent-runtime', import.meta.url));

let checkout = '';
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'step-lock-bench-sample-'));
  cpSync(SAMPLE, checkout, { recursive: true });
});
afterAll(() => { rmSync(checkout, { recursive: true, force: true }); });

const bench = (...args: string[]): ReturnType<typeof spawnSync> => spawnSync(process.execPath, [BENCH, ...args], { encoding: 'utf8' });

test('One round on the sample prints a table, finds what was put into a change, and leaves the checkout as it was', () => {
  const before = readdirSync(checkout, { recursive: true });
  const { status, stdout, stderr } = bench(checkout, '--runs', '1', '--only', 'node,cold,review');

  expect(status, String(stderr)).toBe(0);
  expect(stdout).toMatch(/^\| node \| `node -e 0` \| [\d.]+ \| /m);
  expect(stdout).toMatch(/^\| cold \| .* \| 20 files judged, \d+ findings \|$/m);
  expect(stdout).toContain('finds the faults of the change');
  expect(stdout).toMatch(/^\| review \/ cold \| /m);
  expect(readdirSync(checkout, { recursive: true })).toEqual(before);
}, 300_000);

test('A mistake is one sentence on stderr and exit code 2', () => {
  const { status, stdout, stderr } = bench(checkout, '--only', 'tsc5');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^There is no row tsc5\. .*\n$/);
});
