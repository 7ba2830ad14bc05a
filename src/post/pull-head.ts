import { z } from 'zod';
import type { GithubApi } from './github-api.js';
import type { GithubHost } from './github-host.js';
import { PostFailure } from './post-failure.js';

/**
 * The commit to write on: as the environment says, else the head of the pull request.
 * @throws {GithubRefusal}
 * @throws {PostFailure} where neither is known.
 */
export async function headOf(api: GithubApi, { owner, repo, pull, headSha }: GithubHost): Promise<string> {
  if (headSha !== undefined) return headSha;
  if (pull === undefined) throw new PostFailure('It is not known which commit to write on.', 'Give --head-sha <sha>, or set GITHUB_SHA.');
  const answer = z.object({ head: z.object({ sha: z.string() }) }).safeParse(await api.call('GET /repos/{owner}/{repo}/pulls/{pull_number}', { owner, repo, pull_number: pull }));
  if (answer.success) return answer.data.head.sha;
  throw new PostFailure(`GitHub's answer on pull request #${pull} names no head commit.`, 'Give --head-sha <sha>.');
}
