import { z } from 'zod';
import { GithubRefusal, type GithubApi } from './github-api.js';
import type { GithubHost } from './github-host.js';
import { isSummary, markedFinding, type Marked } from './marker.js';

/** An inline comment of an earlier run. */
export interface OwnComment extends Marked {
  readonly id: number;
  /** Seen from the top of the repository. */
  readonly path: string;
  readonly body: string;
}

export interface OwnComments {
  readonly inline: readonly OwnComment[];
  /** The oldest summary. */
  readonly summary: { readonly id: number; readonly body: string } | undefined;
}

const commentSchema = z.object({
  id: z.number(),
  body: z.string().nullish(),
  path: z.string().optional(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
});
type Comment = z.infer<typeof commentSchema>;

/** What earlier runs left on the pull request. Only comments of the same author count: anybody can write a marker. */
export async function ownComments(api: GithubApi, host: GithubHost, pull: number): Promise<OwnComments> {
  const place = { owner: host.owner, repo: host.repo };
  const isOwn = authorTest(await viewer(api));
  const [inline, issue] = await Promise.all([
    api.list('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', { ...place, pull_number: pull }),
    api.list('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...place, issue_number: pull }),
  ]);
  return {
    inline: comments(inline).filter(isOwn).flatMap(({ id, path = '', body }) => {
      const marked = markedFinding(body ?? '');
      return marked === undefined ? [] : [{ id, path, body: body ?? '', ...marked }];
    }),
    summary: comments(issue).filter(isOwn).map(({ id, body }) => ({ id, body: body ?? '' })).find(({ body }) => isSummary(body)),
  };
}

function comments(answers: readonly unknown[]): Comment[] {
  return answers.flatMap((answer) => {
    const parsed = commentSchema.safeParse(answer);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Who the token writes as. REST tells it to people's tokens only, GraphQL to those of workflows too. */
async function viewer(api: GithubApi): Promise<string | undefined> {
  try {
    const answer = z.object({ viewer: z.object({ login: z.string() }) }).safeParse(await api.graphql('query { viewer { login } }', {}));
    return answer.success ? answer.data.viewer.login : undefined;
  } catch (error) {
    if (error instanceof GithubRefusal && !error.isServerFault) return undefined;
    throw error;
  }
}

function authorTest(login: string | undefined): (comment: Comment) => boolean {
  // Without a name, bots are trusted: a person cannot become one, and a bot that copies markers is none to fear.
  return ({ user }) => (login === undefined ? user?.type === 'Bot' : user?.login === login || user?.login === `${login}[bot]`);
}
