import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.js';
import { git } from '../audit/temp-tree.js';
import { commit, put, repository, said } from '../change/git-tree.js';
import { githubServer, SERVER_TOKEN, type GithubServer } from './github-server.js';

const SAMPLE = fileURLToPath(new URL('../../fixtures/projects/agent-runtime', import.meta.url));

/** One more command of the sample: its write names no state and is kept apart by the lock of its only caller, in another file. */
const SKIP_STORE = `import type { Pool } from 'pg';

export class SkipStore {
  constructor(private readonly pool: Pool) {}

  /** The caller holds the step lock. */
  async skip(stepId: string): Promise<void> {
    await this.pool.query("UPDATE steps SET status = 'skipped' WHERE id = $1", [stepId]);
  }
}
`;
const SKIP_UNLOCKED = `import { randomUUID } from 'node:crypto';
import { releaseFailed, type RuntimeEvents } from './events.js';
import type { SkipStore } from './skip-store.js';
import type { StepLock } from './step-lock.js';

const SKIP_TTL_MS = 10_000;

export class SkipApi {
  constructor(private readonly store: SkipStore, private readonly lock: StepLock, private readonly events: RuntimeEvents) {}

  async skip(stepId: string): Promise<void> {
    await this.store.skip(stepId);
  }
}
`;
const SKIP_LOCKED = SKIP_UNLOCKED.replace('    await this.store.skip(stepId);\n', `    const owner = randomUUID();
    const acquired = await this.lock.acquire(stepId, owner, SKIP_TTL_MS);
    if (!acquired) throw new Error('busy');
    try {
      await this.store.skip(stepId);
    } finally {
      await this.lock.release(stepId, owner).catch(releaseFailed(this.events, stepId, owner));
    }
`);

let server: GithubServer;
let root: string;

beforeEach(async () => {
  root = repository({ 'README.md': '' });
  cpSync(SAMPLE, root, { recursive: true });
  put(root, { 'src/skip-store.ts': SKIP_STORE, 'src/skip.ts': SKIP_LOCKED });
  commit(root, 'the sample, with a command to skip a step');
  git(root, 'switch', '-qc', 'change');
  put(root, { 'src/skip.ts': SKIP_UNLOCKED });
  edit('src/reaper.ts', 'await this.redis.del(SWEEP_LOCK)', 'await this.redis.eval(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`, 1, SWEEP_LOCK, owner)');
  edit('src/pause.ts', 'PAUSE_TTL_MS = 10_000', 'PAUSE_TTL_MS = 8_000');
  server = await githubServer({ diff: {} });
  pushed('a lock dropped, a lease shortened, a release mended');
});
afterEach(() => server.close());

it('the bot tells what the change brought, once, and takes it back after the mend', async () => {
  const first = await review();
  expect(first.code).toBe(1);
  // The write stands in a file that the change does not touch: the comment is at the changed line that brought it.
  expect(server.state.reviewComments.map(({ path }) => path)).toEqual(['src/skip.ts']);
  const [comment] = server.state.reviewComments;
  expect(comment?.body).toContain('src/skip-store.ts');
  expect(comment?.body).toMatch(/`require-(?:cas|lock)`/);
  const summary = summaryBody();
  expect(summary).toContain('1 new finding');
  expect(summary).toContain('TTL 10 s to 8 s');
  expect(summary).toMatch(/lock .*dropped in `SkipApi\.skip`/);
  expect(summary).toMatch(/require-atomic-release/);

  server.forget();
  await review();
  expect(server.writes()).toEqual([]);

  put(root, { 'src/skip.ts': SKIP_LOCKED });
  pushed('the lock again');
  const third = await review();
  expect(third.code).toBe(0);
  expect(server.state.reviewComments.map(({ isResolved }) => isResolved)).toEqual([true]);
  expect(summaryBody()).not.toContain('1 new finding');
});

/** The body of the one summary. */
function summaryBody(): string {
  expect(server.state.issueComments).toHaveLength(1);
  return server.state.issueComments[0]?.body ?? '';
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(root, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(root, file), text.replace(from, to));
}

/** The host gets the commit, and knows which lines its diff shows. */
function pushed(message: string): void {
  commit(root, message);
  server.state.headSha = said(root, 'rev-parse', 'HEAD');
  const hunks = said(root, 'diff', '--unified=3', 'main').split(/^diff --git a\//m).slice(1);
  server.state.diff = Object.fromEntries(hunks.map((hunk) => [hunk.slice(0, hunk.indexOf(' ')), [...hunk.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)]
    .flatMap(([, start = '1', count = '1']) => Array.from({ length: Number(count) }, (_, at) => Number(start) + at))]));
}

async function review(): Promise<{ readonly code: number; readonly stderr: string }> {
  let stderr = '';
  const code = await runCommandLine(['review', '--base', 'main', '--reporter', 'github-pr-review', '--pull-request', '7', '--head-sha', server.state.headSha, '--fail-on', 'warning', '--quiet', '--no-cache'], {
    cwd: root, env: { GITHUB_TOKEN: SERVER_TOKEN, GITHUB_API_URL: server.url, GITHUB_REPOSITORY: 'acme/shop' }, second: 1,
    stdout: { write: () => undefined }, stderr: { write: (text) => { stderr += text; } },
  });
  return { code, stderr };
}
