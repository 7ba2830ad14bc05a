import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GithubHost } from '../../src/post/github-host.js';
import { createGithubApi } from '../../src/post/octokit.js';
import { publishReview, type Published, type ReviewPost } from '../../src/post/publish-review.js';
import type { Review } from '../../src/review/types.js';
import { changedReview, SOURCES } from '../report/changed-review.js';
import { githubServer, SERVER_TOKEN, type GithubServer } from './github-server.js';

const DIFF = { files: [{ path: 'src/worker.ts', shown: [{ first: 1, last: 4 }] }] };

let server: GithubServer;
beforeEach(async () => { server = await githubServer({ diff: { 'src/worker.ts': [1, 2, 3, 4] } }); });
afterEach(() => server.close());

function publish(review: Review, more: Partial<ReviewPost> = {}): Promise<Published> {
  const host: GithubHost = { apiUrl: server.url, serverUrl: 'https://github.com', owner: 'acme', repo: 'shop', pull: 7, token: SERVER_TOKEN };
  const target = { host, pull: 7, headSha: server.state.headSha };
  return publishReview(createGithubApi(host, 'step-lock-test', { second: 1 }), target, { review, diff: DIFF, pathPrefix: '', source: (file) => SOURCES[file], ...more });
}

it('comments on the diff, the worst first, and writes one summary', async () => {
  expect(await publish(changedReview())).toEqual({ commented: 2, resolved: 0, reopened: 0, summary: 'written', inSummary: 0, threads: true });
  expect(server.writes()).toEqual(['POST /repos/acme/shop/pulls/7/reviews', 'POST /repos/acme/shop/issues/7/comments']);
  console.log(server.state.reviewComments.map(({ body, ...rest }) => JSON.stringify(rest) + '\n' + body).join('\n=====\n'));
  console.log(server.state.issueComments[0]?.body);
});

describe('a second run', () => {
  it('over the same review writes nothing', async () => {
    await publish(changedReview());
    server.forget();
    expect(await publish(changedReview())).toEqual({ commented: 0, resolved: 0, reopened: 0, summary: 'unchanged', inSummary: 0, threads: true });
    expect(server.writes()).toEqual([]);
  });
});
