import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { git, tempTree } from '../audit/temp-tree.js';
import { FAULTY } from '../exceptions/faulty.js';
import { reviewIn, stepLock } from './step-lock.js';

const SAMPLE = fileURLToPath(new URL('../../fixtures/projects/agent-runtime', import.meta.url));

describe('audit --fix-dry-run', () => {
  it('prints diffs that git applies, and with them the faults are gone; it writes nothing', async () => {
    const root = tempTree({ 'src/a b.ts': FAULTY, 'src/é.ts': FAULTY.replaceAll('nightly', 'weekly').replaceAll('\n', '\r\n') });
    git(root, 'init', '-q');
    const run = await stepLock(root, 'audit', '--fix-dry-run');
    expect(run).toMatchObject({ status: 1, stderr: '' });
    expect(run.stdout).toMatch(/^# f1 require-ttl src\/a b\.ts:5: Set an expiry of 30 seconds/);
    expect(run.stdout).toContain('-  const won = await redis.set(\'lock:nightly\', owner, \'NX\');\n+  const won = await redis.set(\'lock:nightly\', owner, \'PX\', 30000, \'NX\');\n');
    expect(readFileSync(join(root, 'src/a b.ts'), 'utf8')).toBe(FAULTY);
    writeFileSync(join(root, 'fix.diff'), run.stdout);
    execFileSync('git', ['apply', 'fix.diff'], { cwd: root });
    expect((await reviewIn(root)).findings).toEqual([]);
  });

  it('on the sample offers one fix and withholds one: the lease that it gives is too short for the work', async () => {
    const root = tempTree({});
    cpSync(SAMPLE, root, { recursive: true });
    const run = await stepLock(root, 'audit', '--fix-dry-run');
    expect(run.stdout.match(/^# .*$/gm)).toEqual([expect.stringMatching(/^# f\d+ require-release-owner src\/pause\.ts:35: /)]);
    expect(run.stderr).toMatch(/^step-lock: a fix of require-ttl at src\/scheduler\.ts:24:25 is withheld: another fault is found with it\. It was: Set an expiry/);
    expect((await reviewIn(root)).findings.flatMap(({ rule, fix }) => (fix === undefined ? [] : [rule]))).toEqual(['require-release-owner']);
  });

  it('leaves accepted findings alone, and prints nothing where there is nothing to fix', async () => {
    const root = tempTree({ 'a.ts': FAULTY.replace('  const won', '  // step-lock-ignore-next-line require-ttl -- owner: a, expires: 2999-01-01, reason: b\n  const won') });
    expect(await stepLock(root, 'audit', '--fix-dry-run')).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('judges with all rules what a run with few of them would offer', async () => {
    const root = tempTree({});
    cpSync(SAMPLE, root, { recursive: true });
    expect((await stepLock(root, 'audit', '--fix-dry-run', '--rules', 'require-ttl')).stdout).toBe('');
  });
});
