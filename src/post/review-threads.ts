import { z } from 'zod';
import { GithubRefusal, type GithubApi } from './github-api.js';
import type { GithubHost } from './github-host.js';

const THREADS = `query ($owner: String!, $repo: String!, $pull: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $pull) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved comments(first: 1) { nodes { databaseId } } }
      }
    }
  }
}`;
const RESOLVE = 'mutation ($thread: ID!) { resolveReviewThread(input: { threadId: $thread }) { thread { id } } }';
const REOPEN = 'mutation ($thread: ID!) { unresolveReviewThread(input: { threadId: $thread }) { thread { id } } }';

const pageSchema = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
        nodes: z.array(z.object({ id: z.string(), isResolved: z.boolean(), comments: z.object({ nodes: z.array(z.object({ databaseId: z.number().nullish() })) }) })),
      }),
    }),
  }),
});

export interface ThreadChanges {
  /** Ids of the first comments. */
  readonly resolve: readonly number[];
  readonly reopen: readonly number[];
}

/**
 * Marks threads as resolved or open again.
 * @returns Whether the host allowed it. Tokens of workflows may lack the right; the comments' text tells the same, so that nothing is lost.
 */
export async function changeThreads(api: GithubApi, host: GithubHost, pull: number, { resolve, reopen }: ThreadChanges): Promise<boolean> {
  if (resolve.length + reopen.length === 0) return true;
  try {
    for (const { id, isResolved, comment } of await threads(api, host, pull)) {
      if (!isResolved && resolve.includes(comment)) await api.graphql(RESOLVE, { thread: id });
      if (isResolved && reopen.includes(comment)) await api.graphql(REOPEN, { thread: id });
    }
    return true;
  } catch (error) {
    if (error instanceof GithubRefusal) return false;
    throw error;
  }
}

interface Thread { readonly id: string; readonly isResolved: boolean; readonly comment: number }

async function threads(api: GithubApi, { owner, repo }: GithubHost, pull: number): Promise<Thread[]> {
  const found: Thread[] = [];
  let after: string | null = null;
  for (;;) {
    const answer: unknown = await api.graphql(THREADS, { owner, repo, pull, after });
    const page = pageSchema.safeParse(answer);
    if (!page.success) return found;
    const { nodes, pageInfo } = page.data.repository.pullRequest.reviewThreads;
    for (const { id, isResolved, comments } of nodes) {
      const comment = comments.nodes[0]?.databaseId;
      if (typeof comment === 'number') found.push({ id, isResolved, comment });
    }
    if (!pageInfo.hasNextPage || typeof pageInfo.endCursor !== 'string') return found;
    after = pageInfo.endCursor;
  }
}
