import { z } from 'zod';
import { PostFailure } from './post-failure.js';

/** Where a review is posted, and as whom. */
export interface GithubHost {
  /** Without a slash at the end: `https://api.github.com`, or that of an enterprise server. */
  readonly apiUrl: string;
  /** For links: `https://github.com`. */
  readonly serverUrl: string;
  readonly owner: string;
  readonly repo: string;
  /** Undefined where the run belongs to no pull request. */
  readonly pull?: number;
  /** The commit the findings are of: the head of the pull request. Undefined: to be asked of the API. */
  readonly headSha?: string;
  /** Undefined where the environment holds none. Never printed. */
  readonly token?: string;
}

/** What the command line says in place of the environment. */
export interface HostFlags {
  /** `owner/name`. */
  readonly repository?: string;
  readonly pullRequest?: number;
  readonly headSha?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The host of a GitHub Actions run, from its environment and its event; flags come first.
 * @param readEvent Reads the event's payload; undefined where it cannot be read.
 * @throws {PostFailure} when there is no repository.
 */
export function githubHost(env: Environment, flags: HostFlags, readEvent: (path: string) => string | undefined): GithubHost {
  const token = said(env['GITHUB_TOKEN']) ?? said(env['GH_TOKEN']);
  const event = eventOf(said(env['GITHUB_EVENT_PATH']), readEvent);
  const [owner, repo, ...rest] = (flags.repository ?? said(env['GITHUB_REPOSITORY']) ?? '').split('/');
  if (owner === undefined || owner === '' || repo === undefined || repo === '' || rest.length > 0) {
    throw new PostFailure('It is not known which repository to post to.', 'Give --repository owner/name, or set GITHUB_REPOSITORY.');
  }
  const pull = flags.pullRequest ?? event.pull_request?.number ?? (event.issue?.pull_request === undefined ? undefined : event.issue.number) ?? pullOfRef(env['GITHUB_REF']);
  // The event tells of its own pull request: with another one given its head is not the commit. GITHUB_SHA of a pull request is a merge.
  const ofEvent = flags.pullRequest === undefined || flags.pullRequest === event.pull_request?.number;
  const headSha = flags.headSha ?? (ofEvent ? event.pull_request?.head.sha : undefined) ?? (pull === undefined ? said(env['GITHUB_SHA']) : undefined);
  return {
    apiUrl: (said(env['GITHUB_API_URL']) ?? 'https://api.github.com').replace(/\/+$/, ''),
    serverUrl: (said(env['GITHUB_SERVER_URL']) ?? 'https://github.com').replace(/\/+$/, ''),
    owner,
    repo,
    ...(token === undefined ? {} : { token }),
    ...(pull === undefined ? {} : { pull }),
    ...(headSha === undefined ? {} : { headSha }),
  };
}

/** `refs/pull/7/merge`. */
function pullOfRef(ref: string | undefined): number | undefined {
  const [, number] = /^refs\/pull\/(\d+)\//.exec(ref ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * The token of a host.
 * @throws {PostFailure} where there is none.
 */
export function tokenOf({ token }: GithubHost): string {
  if (token !== undefined) return token;
  throw new PostFailure('There is no token for GitHub.', 'Set GITHUB_TOKEN in the step\'s `env`, for example to `${{ github.token }}`.');
}

const eventSchema = z.object({
  pull_request: z.object({ number: z.number().int(), head: z.object({ sha: z.string() }) }).optional(),
  issue: z.object({ number: z.number().int(), pull_request: z.unknown().optional() }).optional(),
});

function eventOf(path: string | undefined, readEvent: (path: string) => string | undefined): z.infer<typeof eventSchema> {
  const text = path === undefined ? undefined : readEvent(path);
  if (text === undefined) return {};
  try {
    const parsed = eventSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** An unset secret arrives as an empty string. */
function said(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}
