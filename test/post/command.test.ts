import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.js';
import { git, tempTree } from '../audit/temp-tree.js';
import { githubServer, SERVER_TOKEN, type GithubServer } from './github-server.js';

const HEAD = "import type { Redis } from 'ioredis';\nimport { randomUUID } from 'node:crypto';\ndeclare function work(id: string): Promise<void>;\n"
  + 'const UNLOCK = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`;\n';
const SAFE = `${HEAD}
export async function run(redis: Redis, id: string): Promise<void> {
  const owner = randomUUID();
  if ((await redis.set(\`job:\${id}\`, owner, 'PX', 60_000, 'NX')) !== 'OK') return;
  try {
    await work(id);
  } finally {
    await redis.eval(UNLOCK, 1, \`job:\${id}\`, owner);
  }
}
`;
const NO_TTL = SAFE.replace("'PX', 60_000, ", '');

let server: GithubServer;
beforeEach(async () => { server = await githubServer({ diff: { 'packages/jobs/src/run.ts': Array.from({ length: 20 }, (_, at) => at + 1) } }); });
afterEach(() => server.close());

/** A clone with a change: the TTL of the lock is gone. The command runs in a package of it. */
function clone(): string {
  const root = tempTree({ 'packages/jobs/src/run.ts': SAFE, 'event.json': '' });
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'base');
  git(root, 'switch', '-qc', 'change');
  writeFileSync(join(root, 'packages/jobs/src/run.ts'), NO_TTL);
  git(root, 'commit', '-qam', 'no TTL');
  pushed(root);
  return root;
}

/** The host gets the commit, and the event of the next run tells of it. */
function pushed(root: string): void {
  server.state.headSha = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  writeFileSync(join(root, 'event.json'), JSON.stringify({ pull_request: { number: 7, head: { sha: server.state.headSha } } }));
}

async function run(root: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const env = { GITHUB_TOKEN: SERVER_TOKEN, GITHUB_API_URL: server.url, GITHUB_REPOSITORY: 'acme/shop', GITHUB_EVENT_PATH: join(root, 'event.json') };
  const code = await runCommandLine(args, {
    cwd: join(root, 'packages/jobs'), env, second: 1, stdout: { write: (text) => (stdout += text) }, stderr: { write: (text) => (stderr += text) },
  });
  return { code, stdout, stderr };
}

it('step-lock review posts what the change brought, once, and resolves it after the mend', async () => {
  const root = clone();
  const review = ['review', '--base', 'main', '--reporter', 'github-pr-review', '--quiet'];
  const first = await run(root, ...review);
  expect(first).toMatchObject({ code: 1, stderr: expect.stringMatching(/^step-lock: Pull request #7: [1-9]\d* commented, 0 resolved, .*; summary written\.\n$/) });
  expect(server.state.reviewComments[0]).toMatchObject({ path: 'packages/jobs/src/run.ts', line: 8, body: expect.stringContaining('`require-ttl`') });
  expect(server.state.reviewComments[0]?.body).toContain("```suggestion\n  if ((await redis.set(`job:${id}`, owner, ");

  server.forget();
  expect((await run(root, ...review)).stderr).toContain('0 commented, 0 resolved, 0 reopened, 0 in the summary only; summary unchanged.');
  expect(server.writes()).toEqual([]);

  writeFileSync(join(root, 'packages/jobs/src/run.ts'), SAFE.replace('60_000', '120_000'));
  git(root, 'commit', '-qam', 'a TTL again');
  pushed(root);
  const third = await run(root, ...review);
  expect(third).toMatchObject({ code: 0, stderr: expect.stringMatching(/0 commented, [1-9]\d* resolved, .*; summary updated\./) });
  expect(server.state.reviewComments.every(({ body, isResolved }) => body.startsWith('<!-- step-lock:resolved:') && isResolved === true)).toBe(true);
});

it('keeps a report for programs free of annotations', async () => {
  const { stdout, stderr } = await run(clone(), 'audit', '--reporter', 'github-annotations', '--format', 'json', '--quiet');
  expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1 });
  expect(stderr).toMatch(/^::error file=packages\/jobs\/src\/run\.ts,line=8,/);
});

it('prints the format of a reporter that is one', async () => {
  expect(JSON.parse((await run(clone(), 'audit', '--reporter', 'sarif', '--quiet')).stdout)).toMatchObject({ version: '2.1.0' });
});

it('a failed post is an error of the run', async () => {
  const root = clone();
  server.fail({ method: 'GET', path: /./, status: 404, body: { message: 'Not Found' }, times: 9 });
  expect(await run(root, 'audit', '--reporter', 'github-pr-review', '--quiet', '--fail-on', 'never')).toMatchObject({
    code: 2, stderr: 'step-lock: GitHub finds no acme/shop#7, or hides it from this token. Look at --repository and --pull-request, and at what the token may read.\n',
  });
  expect(await run(root, 'audit', '--reporter', 'github-pr-review', '--pull-request', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('It is a number such as 7.') });
});
