import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempTree } from '../audit/temp-tree.js';
import { stepLock } from './step-lock.js';

const SAMPLE = fileURLToPath(new URL('../../fixtures/projects/agent-runtime', import.meta.url));
const PRINTED = ['--fail-on', 'never', '--as-of', '2026-12-01', '--quiet'];

/** The sample in a folder of its own, judged in shares. */
async function sharded(of: number, folder = 'tree'): Promise<string> {
  const root = join(tempTree({}), folder);
  cpSync(SAMPLE, root, { recursive: true });
  for (let index = 1; index <= of; index++) {
    const run = await stepLock(root, 'audit', '--shard', `${String(index)}/${String(of)}`, '--quiet');
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toContain(`Shard ${String(index)} of ${String(of)}`);
  }
  return root;
}

describe('audit --shard and merge', () => {
  it.each(['json', 'text', 'markdown', 'sarif'])('print the %s report of one run, byte for byte', async (format) => {
    const root = await sharded(3);
    const joined = await stepLock(root, 'merge', '--format', format, ...PRINTED);
    rmSync(join(root, 'step-lock-shards'), { recursive: true });
    expect(joined).toEqual(await stepLock(root, 'audit', '--format', format, '--no-cache', ...PRINTED));
    expect(joined.stdout).toContain('require-');
  }, 120_000);

  it('do so where the tree lies elsewhere on the machine that joins', async () => {
    const root = await sharded(2);
    const there = join(tempTree({}), 'another', 'place');
    mkdirSync(join(there, '..'));
    renameSync(root, there);
    const joined = await stepLock(there, 'merge', '--format', 'json', ...PRINTED);
    expect(joined.stdout).not.toContain(root);
    expect(joined).toEqual(await stepLock(there, 'audit', '--format', 'json', '--no-cache', ...PRINTED));
  }, 120_000);

  it('earn the exit code of one run', async () => {
    expect((await stepLock(await sharded(2), 'merge', '--quiet')).status).toBe(1);
  }, 60_000);

  it('say what is missing, broken, mixed or of another tree', async () => {
    const root = await sharded(3);
    const folder = join(root, 'step-lock-shards');
    const told = async (...flags: string[]): Promise<string> => {
      const { status, stdout, stderr } = await stepLock(root, 'merge', '--quiet', ...flags);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      return stderr;
    };
    expect(await told('--rules', 'require-ttl')).toMatch(/not all of this tree as it is here, judged with the flags/);
    expect(await told('--shard-dir', 'nowhere')).toMatch(/There are no shards in `nowhere`\. Run `step-lock audit --shard/);
    writeFileSync(join(folder, 'shard-1-of-4.kept'), '');
    expect(await told()).toMatch(/are of several runs/);
    rmSync(join(folder, 'shard-1-of-4.kept'));
    const second = join(folder, 'shard-2-of-3.kept');
    const text = readFileSync(second, 'utf8');
    writeFileSync(second, text.slice(0, -40));
    expect(await told()).toMatch(/shard-2-of-3\.kept` cannot be read\. Run `audit --shard` for it again/);
    rmSync(second);
    expect(await told()).toMatch(/Of the 3 shards in `step-lock-shards`, 2 is missing\./);
  }, 120_000);

  it.each(['0/2', '3/2', '2', 'a/b', '1/0', '-1/2'])('refuse the share %s', async (share) => {
    const { status, stderr } = await stepLock(tempTree({}), 'audit', `--shard=${share}`);
    expect(status).toBe(2);
    expect(stderr).toContain('It is a share such as 2/4');
  });

  it('say that a folder cannot be written to', async () => {
    const root = tempTree({ 'a.ts': '', taken: '' });
    const { status, stderr } = await stepLock(root, 'audit', '--shard', '1/1', '--shard-dir', 'taken/below', '--quiet');
    expect(status).toBe(2);
    expect(stderr).toMatch(/The shard `.*` cannot be written\. Give --shard-dir/);
  });
});
