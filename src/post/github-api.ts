/** What posting needs of the GitHub API: routes as GitHub's documentation spells them, answers unread. */
export interface GithubApi {
  /** All entries of a list, page after page. */
  list(route: string, parameters: RouteParameters): Promise<readonly unknown[]>;
  /** A call that may be repeated: it is tried again where the server fails. */
  call(route: string, parameters: RouteParameters): Promise<unknown>;
  /** A call that adds something: never repeated here, since a failed answer does not say that nothing was added. */
  create(route: string, parameters: RouteParameters): Promise<unknown>;
  /** Never repeated after an error of GraphQL itself. */
  graphql(query: string, variables: RouteParameters): Promise<unknown>;
}

export type RouteParameters = Readonly<Record<string, unknown>>;

/** GitHub said no. The message is GitHub's, without the token. */
export class GithubRefusal extends Error {
  override readonly name = 'GithubRefusal';

  /** @param status The HTTP status; 0 where no answer came, 200 where GraphQL refused. */
  constructor(readonly status: number, message: string) {
    super(message);
  }

  /** The token may read and not write, as on pull requests from forks. A rate limit that was not waited for has the same status. */
  get isForbidden(): boolean {
    return this.status === 403 && !/rate limit/i.test(this.message);
  }

  /** The place of a comment is not in the diff as GitHub sees it. */
  get isUnplaceable(): boolean {
    return this.status === 422;
  }

  /** The server failed, and may have done what was asked before it did. */
  get isServerFault(): boolean {
    return this.status >= 500 || this.status === 0;
  }
}
