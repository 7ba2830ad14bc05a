import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommandLine } from '../../src/cli/command-line.js';
import type { Review } from '../../src/review/types.js';
import { git, tempTree } from '../audit/temp-tree.js';

/** A repository whose first commit holds the files. */
export function repository(files: Readonly<Record<string, string>>): string {
  const root = tempTree(files);
  git(root, 'init', '-q', '-b', 'main');
  commit(root, 'first');
  return root;
}

export function commit(root: string, message: string): void {
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--allow-empty', '-m', message);
}

/** Writes files; undefined removes one. */
export function put(root: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) {
      rmSync(join(root, path));
      continue;
    }
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

export function said(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

export interface Reviewed { readonly code: number; readonly stdout: string; readonly stderr: string }

/** `step-lock <args>` in a folder, in this process: the same command line without the wait for a new one. */
export async function stepLock(cwd: string, ...args: string[]): Promise<Reviewed> {
  let [stdout, stderr] = ['', ''];
  const code = await runCommandLine(args, {
    cwd, env: {}, stdout: { write: (text) => { stdout += text; } }, stderr: { write: (text) => { stderr += text; } },
  });
  return { code, stdout, stderr };
}

/** The review of the work tree against a base, as data. */
export async function reviewOf(cwd: string, base: string, ...args: string[]): Promise<Review> {
  const { stdout, stderr } = await stepLock(cwd, 'review', '--base', base, '--format', 'json', '--no-cache', ...args);
  if (stdout === '') throw new Error(stderr);
  // What `--format json` prints is the review by contract.
  return JSON.parse(stdout) as Review;
}

/** A lock without a TTL: one finding of `require-ttl` for each. */
export function lockWithoutTtl(name: string, key = `\`lock:${name}:\${id}\``): string {
  return `export async function ${name}(redis: import('ioredis').Redis, id: string, owner: string, work: (id: string) => Promise<void>) {
  if ((await redis.set(${key}, owner, 'NX')) !== 'OK') return;
  try {
    await work(id);
  } finally {
    await redis.eval('if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0', 1, ${key}, owner);
  }
}
`;
}

/** The new findings as `rule file:line`. */
export function fresh({ findings }: Review): string[] {
  return findings.filter(({ change }) => change === 'new').map(({ rule, file, line }) => `${rule} ${file}:${String(line)}`);
}
