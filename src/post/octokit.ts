import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { GithubRefusal, type GithubApi } from './github-api.js';
import { tokenOf, type GithubHost } from './github-host.js';

/** How often and how long a rate limit is waited for. */
const MOST_WAITS = 3;
const LONGEST_WAIT_S = 180;

export interface Pace {
  /** How many milliseconds a second of waiting takes; less than 1000 only in tests. */
  readonly second: number;
}

/**
 * The GitHub API through Octokit: pages followed, server faults tried again, rate limits kept and waited for.
 * @throws {PostFailure} where the host has no token.
 */
export function createGithubApi(host: GithubHost, userAgent: string, pace: Pace = { second: 1_000 }): GithubApi {
  const token = tokenOf(host);
  const wait = (seconds: number, _options: unknown, _octokit: unknown, times: number): boolean => seconds <= LONGEST_WAIT_S && times < MOST_WAITS;
  const throttle = { onRateLimit: wait, onSecondaryRateLimit: wait, retryAfterBaseValue: pace.second };
  if (pace.second < 1_000) Object.assign(throttle, { write: UNPACED, notifications: UNPACED });
  const ThrottledOctokit = Octokit.plugin(paginateRest, retry, throttling);
  const octokit = new ThrottledOctokit({
    baseUrl: host.apiUrl,
    auth: token,
    userAgent,
    // Octokit's own warnings go to the console, with addresses in them; what matters is told by the caller.
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    retry: { retryAfterBaseValue: pace.second },
    throttle,
  });

  const guarded = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      throw refusal(error, token);
    }
  };
  return {
    list: (route, parameters) => guarded(octokit.paginate(route, { ...parameters, per_page: 100 })),
    call: (route, parameters) => guarded(octokit.request(route, parameters).then(({ data }): unknown => data)),
    create: (route, parameters) => guarded(octokit.request(route, { ...parameters, request: { retries: 0 } }).then(({ data }): unknown => data)),
    graphql: (query, variables) => guarded(octokit.graphql(query, variables)),
  };
}

function quiet(): void {
  // Says nothing.
}

/** Stands in for the limiter that spaces out writes by seconds. */
const UNPACED = { key: () => ({ schedule: <T>(_options: unknown, run: (...args: unknown[]) => Promise<T>, ...args: unknown[]) => run(...args) }) };

/** Octokit's error holds the request with its headers; only status and sentence go on. */
function refusal(error: unknown, token: string): GithubRefusal {
  // GraphQL says no with an answer that is fine for HTTP.
  const isGraphql = error instanceof Error && error.name === 'GraphqlResponseError';
  const status = isGraphql ? 200 : typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number' ? error.status : 0;
  const message = error instanceof Error ? error.message : String(error);
  return new GithubRefusal(status, message.replaceAll(token, '***'));
}
