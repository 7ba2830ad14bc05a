import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { githubHost, type HostFlags } from '../../src/post/github-host.js';
import { createGithubApi } from '../../src/post/octokit.js';
import { PostFailure } from '../../src/post/post-failure.js';
import { postReview, type PostInput } from '../../src/post/post-review.js';
import type { Reporter } from '../../src/post/reporters.js';
import type { Finding } from '../../src/review/types.js';
import { changedReview, SOURCES } from '../report/changed-review.js';
import { hostileChange } from '../report/hostile-change.js';
import { githubServer, SERVER_TOKEN, type GithubServer } from './github-server.js';

let server: GithubServer;
beforeEach(async () => { server = await githubServer({ diff: { 'src/worker.ts': [1, 2, 3, 4] } }); });
afterEach(() => server.close());

interface Posted { readonly told: readonly string[]; readonly printed: string; readonly jobSummary: string }

/** Posts as a run of GitHub Actions on pull request 7. */
async function post(reporter: Reporter, input: Partial<PostInput> = {}, flags: HostFlags = {}, env: Readonly<Record<string, string | undefined>> = {}, bytes = 0): Promise<Posted> {
  let [printed, jobSummary] = ['', ''];
  const run = {
    GITHUB_TOKEN: SERVER_TOKEN, GITHUB_API_URL: `${server.url}/`, GITHUB_REPOSITORY: 'acme/shop', GITHUB_SHA: 'ffff000000000000000000000000000000000000', GITHUB_EVENT_PATH: '/event.json', ...env,
  };
  const event = JSON.stringify({ pull_request: { number: 7, head: { sha: server.state.headSha } } });
  const told = await postReview(reporter, {
    review: changedReview(), diff: { files: [{ path: 'src/worker.ts', shown: [{ first: 1, last: 4 }] }] }, pathPrefix: '', bar: 'failed', source: (file) => SOURCES[file], ...input,
  }, {
    host: () => githubHost(run, flags, (path) => (path === '/event.json' ? event : undefined)),
    api: (host) => Promise.resolve(createGithubApi(host, 'step-lock-test', { second: 1 })),
    print: (text) => { printed += text; },
    jobSummary: { bytes, append: (text) => { jobSummary += text; } },
  });
  return { told, printed, jobSummary };
}

describe('github-pr-review', () => {
  it('posts to the pull request of the event, on its head and not on the merge that GITHUB_SHA names', async () => {
    expect((await post('github-pr-review')).told).toEqual(['Pull request #7: 2 commented, 0 resolved, 0 reopened, 0 in the summary only; summary written.']);
    expect(server.traffic.find(({ path }) => path.endsWith('/reviews'))?.body).toMatchObject({ commit_id: server.state.headSha });
  });

  it('asks for the head of a pull request that a flag names', async () => {
    await post('github-pr-review', {}, { pullRequest: 7 }, { GITHUB_EVENT_PATH: undefined });
    expect(server.traffic.map(({ path }) => path)).toContain('/repos/acme/shop/pulls/7');
    expect(server.state.reviewComments).toHaveLength(2);
  });

  it('is a mistake where there is no pull request, no token, or no such repository', async () => {
    await expect(post('github-pr-review', {}, {}, { GITHUB_EVENT_PATH: undefined })).rejects.toMatchObject({ name: 'PostFailure', message: 'This run belongs to no pull request.' });
    await expect(post('github-pr-review', {}, {}, { GITHUB_TOKEN: '' })).rejects.toMatchObject({ message: 'There is no token for GitHub.' });
    await expect(post('github-pr-review', {}, { repository: 'acme/shopp' })).rejects.toMatchObject({ message: 'GitHub finds no acme/shopp#7, or hides it from this token.' });
    await expect(post('github-pr-review', {}, { repository: 'acme' })).rejects.toMatchObject({ nextStep: 'Give --repository owner/name, or set GITHUB_REPOSITORY.' });
  });

  it('tells a refused token without telling it', async () => {
    const wrong = 'ghp_wrongWrongWrong';
    server.fail({ method: 'GET', path: /./, status: 401, body: { message: `Bad credentials ${wrong}` }, times: 9 });
    const error: unknown = await post('github-pr-review', {}, {}, { GITHUB_TOKEN: wrong }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PostFailure);
    expect(error instanceof PostFailure ? `${error.message} ${error.nextStep}` : '').toBe('GitHub does not accept the token. Give GITHUB_TOKEN a token that is valid for this repository.');
  });

  it('tells of a server that stays broken, and that running again is safe', async () => {
    server.fail({ method: 'GET', path: /./, status: 502, body: { message: 'Bad Gateway' }, times: 99 });
    await expect(post('github-pr-review')).rejects.toMatchObject({ message: 'GitHub answered 502 on acme/shop#7: Bad Gateway.', nextStep: 'Run again later: what is posted already is not posted twice.' });
  });

  it('a rate limit that is not waited for is no lack of rights', async () => {
    server.fail({ method: 'GET', path: /./, status: 403, headers: { 'retry-after': '3600' }, body: { message: 'You have exceeded a secondary rate limit' }, times: 99 });
    await expect(post('github-pr-review')).rejects.toMatchObject({ message: 'GitHub answered 403 on acme/shop#7: You have exceeded a secondary rate limit.' });
  });

  it('warns where the work tree is not at the head of the pull request', async () => {
    const review = changedReview();
    const { told } = await post('github-pr-review', { review: { ...review, scope: { ...review.scope, commit: 'abcdabcdabcdabcd' } } });
    expect(told[0]).toBe('The work tree is at abcdabcdabcd and the pull request at c0ffee000000: comments may stand on wrong lines. Check out the head (`ref: ${{ github.event.pull_request.head.sha }}`).');
  });

  it('finds the pull request in the ref where the event tells nothing', async () => {
    expect((await post('github-pr-review', {}, {}, { GITHUB_EVENT_PATH: '/gone.json', GITHUB_REF: 'refs/pull/7/merge' })).told[0]).toContain('Pull request #7: 2 commented');
  });

  it('tells of a server that is not there', async () => {
    await expect(post('github-pr-review', {}, {}, { GITHUB_API_URL: 'http://127.0.0.1:1' })).rejects.toMatchObject({ message: expect.stringMatching(/^GitHub could not be reached: |^GitHub answered 500 /) });
  });
});

describe.each(['github-pr-review', 'github-check'] as const)('%s with a token that may only read, as on pull requests from forks', (reporter) => {
  it('writes annotations and a job summary instead, and says so', async () => {
    server.state.readOnly = true;
    const { told, printed, jobSummary } = await post(reporter);
    expect(told).toEqual([expect.stringMatching(/^The token may not write .*, which is so for pull requests from forks: the findings are annotations and a job summary instead\.$/)]);
    expect(printed).toMatch(/^::error file=src\/worker\.ts,line=2,.*\n::warning file=src\/api\|v2\/steps\.ts,line=40,.*\n::notice title=step-lock::1 finding was there before this change\.\n$/);
    expect(jobSummary).toMatch(/^### step-lock: 2 new findings\n/);
    expect(jobSummary).toContain(`https://github.com/acme/shop/blob/${server.state.headSha}/src/worker.ts#L2`);
    expect(server.state).toMatchObject({ reviewComments: [], issueComments: [], checks: [] });
  });
});

describe('github-annotations', () => {
  it('needs neither token nor repository, and talks to nobody', async () => {
    const { told, printed, jobSummary } = await post('github-annotations', {}, {}, { GITHUB_TOKEN: undefined, GITHUB_REPOSITORY: undefined, GITHUB_EVENT_PATH: undefined });
    expect(told).toEqual([]);
    expect(printed.split('\n')).toHaveLength(4);
    expect(jobSummary).toContain('- **error** `require-ttl` `src/worker.ts:2`: the lock');
    expect(server.traffic).toEqual([]);
  });

  it('keeps the job summary below what GitHub takes, with what is there already', async () => {
    const review = hostileChange();
    const findings = Array.from({ length: 100 }, (_, at) => review.findings.map((finding): Finding => ({ ...finding, fingerprint: String(at) }))).flat();
    const { jobSummary } = await post('github-annotations', { review: { ...review, findings } });
    expect(Buffer.byteLength(jobSummary)).toBeGreaterThan(900_000);
    expect(Buffer.byteLength(jobSummary)).toBeLessThanOrEqual(1_048_576);
    expect(jobSummary).toMatch(/\n- and \d+ more: `step-lock review` lists them\.\n/);
    const second = await post('github-annotations', { review: { ...review, findings } }, {}, {}, 1_000_000);
    expect(Buffer.byteLength(second.jobSummary)).toBeLessThanOrEqual(48_576);
    expect((await post('github-annotations', { review }, {}, {}, 1_048_576)).jobSummary.length).toBeLessThan(300);
  });
});

describe('github-check', () => {
  it('is a check run on the head, with the verdict as title and an annotation a finding', async () => {
    expect((await post('github-check')).told).toEqual(['Wrote a check run with 2 annotations.']);
    expect(server.state.checks).toMatchObject([{
      name: 'step-lock', head_sha: server.state.headSha, status: 'completed', conclusion: 'failure', title: '2 new, 1 mended, 3 there before',
      annotations: [
        {
          path: 'src/worker.ts', start_line: 2, end_line: 2, start_column: 9, end_column: 19, annotation_level: 'failure', title: 'require-ttl (certain)',
          message: 'the lock `step:${id}` is broken\nTo do: Pass `PX` with a time.',
          raw_details: '1. acquire src/worker.ts:2 no TTL\n2. await src/worker.ts:3 a crash here leaves `step:${id}` for good\n3. call src/lib/work.ts:120',
        },
        { path: 'src/api|v2/steps.ts', start_line: 40, annotation_level: 'warning' },
      ],
    }]);
  });

  it.each([['passed', 'success'], ['failed', 'failure']] as const)('a bar that is %s is a %s', async (bar, conclusion) => {
    await post('github-check', { bar });
    expect(server.state.checks[0]?.conclusion).toBe(conclusion);
  });

  it('sends fifty annotations a request and completes with the last', async () => {
    const review = changedReview();
    const [first] = review.findings;
    if (first === undefined) throw new Error('the sample has lost its findings');
    const findings = Array.from({ length: 120 }, (_, at): Finding => ({ ...first, id: `f${at}`, line: at + 1, endLine: at + 1, fingerprint: String(at) }));
    await post('github-check', { review: { ...review, findings } });
    expect(server.state.checks).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    expect(server.state.checks[0]?.annotations).toHaveLength(120);
    expect(server.writes().map((write) => write.replace(/\d+$/, 'id'))).toEqual(['POST /repos/acme/shop/check-runs', 'PATCH /repos/acme/shop/check-runs/id', 'PATCH /repos/acme/shop/check-runs/id']);
  });

  it('stays within the size of a summary whatever the source says', async () => {
    await post('github-check', { review: hostileChange() });
    expect(server.state.checks[0]?.summary.length).toBeGreaterThan(10_000);
  });

  it('of a push is on the pushed commit', async () => {
    await post('github-check', {}, {}, { GITHUB_EVENT_PATH: undefined });
    expect(server.state.checks[0]?.head_sha).toBe('ffff000000000000000000000000000000000000');
  });
});
