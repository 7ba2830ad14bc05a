import { githubAnnotations } from '../report/github-annotations.js';
import type { Review } from '../review/types.js';
import type { DiffLines } from './diff-lines.js';
import { GithubRefusal, type GithubApi } from './github-api.js';
import type { GithubHost } from './github-host.js';
import { PostFailure } from './post-failure.js';
import { publishCheck, type Bar } from './publish-check.js';
import { publishReview, type Published } from './publish-review.js';
import { headOf } from './pull-head.js';
import type { Reporter } from './reporters.js';
import { summary } from './summary.js';

/** GitHub refuses a job summary over 1 MiB a step as a whole. */
const JOB_SUMMARY_BYTES = 1_048_576 - 4_096;

export interface PostInput {
  readonly review: Review;
  /** The lines of head that the host shows in the diff; undefined: nothing is known, and everything goes to the summary. */
  readonly diff: DiffLines | undefined;
  /** The working directory seen from the top of the repository: empty, or `a/b/`. */
  readonly pathPrefix: string;
  /** Whether the findings reach the bar that fails the run. */
  readonly bar: Bar;
  /** The text of a file of the review; undefined when it cannot be read. */
  source(file: string): string | undefined;
}

/** What posting may touch on this machine. */
export interface PostSurroundings {
  /** @throws {PostFailure} where nothing says which repository. */
  host(): GithubHost;
  /** Asked only by reporters that talk to GitHub. @throws {PostFailure} where the host has no token. */
  api(host: GithubHost): Promise<GithubApi>;
  /** Standard output, on which GitHub reads workflow commands. */
  print(text: string): void;
  /** The job summary; undefined outside of GitHub Actions. */
  readonly jobSummary: { readonly bytes: number; append(text: string): void } | undefined;
}

/**
 * Posts a review.
 * @returns What was done, one sentence a line, for people.
 * @throws {PostFailure} when it could not be posted.
 */
export async function postReview(reporter: Reporter, input: PostInput, around: PostSurroundings): Promise<string[]> {
  if (reporter === 'github-annotations') return annotate(input, around);
  const host = around.host();
  try {
    const api = await around.api(host);
    const headSha = await headOf(api, host);
    if (reporter === 'github-check') {
      const written = await publishCheck(api, host, headSha, input);
      return [`Wrote a check run with ${written} ${written === 1 ? 'annotation' : 'annotations'}.`];
    }
    const { pull } = host;
    if (pull === undefined) {
      throw new PostFailure('This run belongs to no pull request.', 'Run on the `pull_request` event, give --pull-request <number>, or use --reporter github-check.');
    }
    return [...otherCommit(input.review, headSha), ...told(await publishReview(api, { host, pull, headSha }, input), pull)];
  } catch (error) {
    if (!(error instanceof GithubRefusal)) throw error;
    if (!error.isForbidden) throw failure(error, host);
    return [
      `The token may not write ${reporter === 'github-check' ? 'checks' : 'to the pull request'}, which is so for pull requests from forks: the findings are annotations and a job summary instead.`,
      ...annotate(input, around),
    ];
  }
}

function annotate({ review, pathPrefix }: PostInput, around: PostSurroundings): string[] {
  around.print(githubAnnotations(review, { pathPrefix }));
  const { jobSummary } = around;
  if (jobSummary === undefined) return [];
  const host = hostForLinks(around);
  const headSha = host?.headSha ?? review.scope.commit;
  jobSummary.append(`${summary(review, { host, headSha, pathPrefix, inline: new Set() }, JOB_SUMMARY_BYTES - jobSummary.bytes)}\n`);
  return [];
}

/** Annotations need no host; with one, the summary's places become links. */
function hostForLinks(around: PostSurroundings): GithubHost | undefined {
  try {
    return around.host();
  } catch (error) {
    if (error instanceof PostFailure) return undefined;
    throw error;
  }
}

function told({ commented, resolved, reopened, summary: written, inSummary, threads }: Published, pull: number): string[] {
  const state = { written: 'summary written', updated: 'summary updated', unchanged: 'summary unchanged', none: 'nothing to tell' }[written];
  return [
    `Pull request #${pull}: ${commented} commented, ${resolved} resolved, ${reopened} reopened, ${inSummary} in the summary only; ${state}.`,
    ...(threads ? [] : ['The token may not resolve threads: the comments say that they are resolved, and their threads stay open.']),
  ];
}

/** GitHub checks out a merge of the pull request unless it is told otherwise; lines of the merge need not be lines of the head. */
function otherCommit({ scope: { commit } }: Review, headSha: string): string[] {
  if (commit === undefined || commit === headSha) return [];
  return [`The work tree is at ${commit.slice(0, 12)} and the pull request at ${headSha.slice(0, 12)}: comments may stand on wrong lines. Check out the head (\`ref: \${{ github.event.pull_request.head.sha }}\`).`];
}

function failure(error: GithubRefusal, { owner, repo, pull }: GithubHost): PostFailure {
  const where = pull === undefined ? `${owner}/${repo}` : `${owner}/${repo}#${pull}`;
  switch (error.status) {
    case 401:
      return new PostFailure('GitHub does not accept the token.', 'Give GITHUB_TOKEN a token that is valid for this repository.');
    case 404:
      return new PostFailure(`GitHub finds no ${where}, or hides it from this token.`, 'Look at --repository and --pull-request, and at what the token may read.');
    case 0:
      return new PostFailure(`GitHub could not be reached: ${sentence(error.message)}`, 'Look at the network and at GITHUB_API_URL, then run again: what is posted already is not posted twice.');
    default:
      return new PostFailure(`GitHub answered ${error.status} on ${where}: ${sentence(error.message)}`, 'Run again later: what is posted already is not posted twice.');
  }
}

function sentence(message: string): string {
  const line = message.split('\n', 1)[0]?.trim() ?? '';
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
