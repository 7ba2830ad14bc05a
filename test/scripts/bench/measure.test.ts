import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endRunning, measure, usageWays } from '../../../scripts/bench/measure.mjs';

const MEBIBYTES = 150;
/** Holds that much memory, computes for a while, says something, and ends with a status of its own. */
const HUNGRY = `const held = Buffer.alloc(${MEBIBYTES} * 1024 * 1024, 1); let sum = 0; for (let index = 0; index < 1e8; index += 1) sum += index; console.log('out', held.length + sum > 0); process.exitCode = 3`;

test.each(usageWays())('What a program used is told by way of %s', async (way) => {
  const ran = await measure({ file: process.execPath, args: ['-e', HUNGRY] }, { timeoutMs: 60_000, way });

  expect(ran).toMatchObject({ status: 3, stdout: 'out true\n', late: false });
  expect(ran.peakKiB).toBeGreaterThan(MEBIBYTES * 1024);
  expect(ran.cpuMs).toBeGreaterThan(50);
});

test.runIf(existsSync('/proc/self/stat'))('What a native program below a launcher used is seen from outside', async () => {
  const launcher = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(HUNGRY)}])`;
  const ran = await measure({ file: process.execPath, args: ['-e', launcher], native: true }, { timeoutMs: 60_000, way: 'own' });

  expect(ran.peakKiB).toBeGreaterThan(MEBIBYTES * 1024);
  expect(ran.cpuMs).toBeGreaterThan(50);
});

test('A command that takes too long is ended, and one that is not there is no crash', async () => {
  expect(await measure({ file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }, { timeoutMs: 300 })).toMatchObject({ status: null, late: true });
  expect((await measure({ file: 'no-such-program', args: [] }, { timeoutMs: 60_000 })).status).not.toBe(0);
});

test('What is measured can be ended from outside', async () => {
  const ran = measure({ file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }, { timeoutMs: 60_000 });
  setTimeout(endRunning, 300);
  expect(await ran).toMatchObject({ status: null, late: false });
});
