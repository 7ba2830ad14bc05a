import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local server that answers as the GitHub API does, for the parts that posting uses, and writes down the traffic. */
export interface GithubServer {
  /** For GITHUB_API_URL. */
  readonly url: string;
  /** Every request in the order of arrival, with the status it got. */
  readonly traffic: Exchange[];
  readonly state: GithubState;
  /** The next requests that match are answered so instead; `after` stores first and then fails, as a gateway that loses the answer. */
  fail(fault: Fault): void;
  /** Requests that changed something, as `METHOD path`. */
  writes(): string[];
  /** Forgets the traffic, keeps the state. */
  forget(): void;
  close(): Promise<void>;
}

export interface Exchange {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

export interface Fault {
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 1. */
  readonly times?: number;
  readonly after?: boolean;
}

export interface StoredComment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string; readonly type: 'Bot' | 'User' };
  readonly path?: string;
  readonly line?: number;
  readonly start_line?: number;
  isResolved?: boolean;
}

export interface StoredCheck { readonly id: number; readonly name: string; readonly head_sha: string; status: string; conclusion: string | undefined; title: string; summary: string; readonly annotations: unknown[] }

export interface GithubState {
  readonly repository: string;
  readonly pull: number;
  headSha: string;
  /** Lines of head in the diff, by path from the top of the repository: what GitHub itself thinks is in the diff. */
  diff: Readonly<Record<string, readonly number[]>>;
  /** Who writes, as REST names them. */
  login: string;
  /** Who GraphQL says the token is; undefined: it refuses to say. */
  viewer: string | undefined;
  /** A token as pull requests from forks get it. */
  readOnly: boolean;
  /** Whether the token may resolve threads. */
  mayResolve: boolean;
  readonly issueComments: StoredComment[];
  readonly reviewComments: StoredComment[];
  /** Reviews, each with the ids of its comments. */
  readonly reviews: { readonly id: number; readonly comments: readonly number[] }[];
  readonly checks: StoredCheck[];
}

const TOKEN = 'ghs_secretSecretSecret123';
export const SERVER_TOKEN = TOKEN;
/** GitHub's own limits. */
const LONGEST_BODY = 65_536;
const MOST_ANNOTATIONS = 50;

export async function githubServer(initial: Partial<GithubState> = {}): Promise<GithubServer> {
  const state: GithubState = {
    repository: 'acme/shop', pull: 7, headSha: 'c0ffee0000000000000000000000000000000001', diff: {}, login: 'github-actions[bot]', viewer: 'github-actions[bot]', readOnly: false, mayResolve: true,
    issueComments: [], reviewComments: [], reviews: [], checks: [], ...initial,
  };
  const traffic: Exchange[] = [];
  const faults: (Fault & { left: number })[] = [];
  let base = '';

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => { response.writeHead(500).end(JSON.stringify({ message: String(error) })); });
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const path = request.url ?? '/';
    const text = await bodyOf(request);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const fault = faults.find((one) => one.left > 0 && one.method === method && one.path.test(path));
    if (fault !== undefined) fault.left--;
    const normal = (): Answer => (request.headers.authorization === `token ${TOKEN}` || request.headers.authorization === `bearer ${TOKEN}`
      ? respond(state, base, method, path, body) : { status: 401, body: { message: 'Bad credentials' } });
    if (fault?.after === true) normal();
    const { status, body: reply, headers = {} } = fault === undefined ? normal() : { status: fault.status, body: fault.body ?? { message: 'Server Error' }, headers: fault.headers };
    traffic.push({ method, path, body, headers: headersOf(request), status });
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(reply));
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A listening TCP server has an address object; a string is the address of a pipe.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: base,
    traffic,
    state,
    fail: (fault) => { faults.push({ ...fault, left: fault.times ?? 1 }); },
    writes: () => traffic.filter(({ method, path, body }) => method !== 'GET' && !(path === '/graphql' && !JSON.stringify(body).includes('mutation'))).map(({ method, path }) => `${method} ${path}`),
    forget: () => { traffic.length = 0; },
    close: () => new Promise((closed) => { server.close(() => { closed(); }); server.closeAllConnections(); }),
  };
}

interface Answer { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }

function respond(state: GithubState, base: string, method: string, path: string, body: unknown): Answer {
  const url = new URL(path, base);
  if (method === 'POST' && url.pathname === '/graphql') return graphql(state, body);
  const repo = `/repos/${state.repository}`;
  if (!url.pathname.startsWith(`${repo}/`)) return notFound();
  const rest = url.pathname.slice(repo.length);
  const isWrite = method !== 'GET';
  if (isWrite && state.readOnly) return { status: 403, body: { message: 'Resource not accessible by integration', documentation_url: 'https://docs.github.com/rest' } };
  const given = record(body);

  if (method === 'GET' && rest === `/pulls/${state.pull}`) return { status: 200, body: { number: state.pull, head: { sha: state.headSha } } };
  if (method === 'GET' && rest === `/pulls/${state.pull}/comments`) return page(state.reviewComments, url, base);
  if (method === 'GET' && rest === `/issues/${state.pull}/comments`) return page(state.issueComments, url, base);
  if (method === 'POST' && rest === `/issues/${state.pull}/comments`) return stored(state, state.issueComments, given);
  if (method === 'POST' && rest === `/pulls/${state.pull}/comments`) return addReviewComment(state, given);
  if (method === 'POST' && rest === `/pulls/${state.pull}/reviews`) return addReview(state, given);
  if (method === 'POST' && rest === '/check-runs') return addCheck(state, given);
  const [, kind, id] = /^\/(issues\/comments|pulls\/comments|check-runs)\/(\d+)$/.exec(rest) ?? [];
  if (method !== 'PATCH' || id === undefined) return notFound();
  if (kind === 'check-runs') return changeCheck(state, Number(id), given);
  const comment = (kind === 'issues/comments' ? state.issueComments : state.reviewComments).find((one) => one.id === Number(id));
  if (comment === undefined) return notFound();
  if (tooLong(given['body'])) return bodyTooLong();
  comment.body = String(given['body']);
  return { status: 200, body: comment };
}

function page(all: readonly unknown[], url: URL, base: string): Answer {
  const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), 100);
  const at = Number(url.searchParams.get('page') ?? 1);
  const next = new URL(url.pathname, base);
  next.searchParams.set('per_page', String(size));
  next.searchParams.set('page', String(at + 1));
  return { status: 200, body: all.slice((at - 1) * size, at * size), headers: at * size < all.length ? { link: `<${next.href}>; rel="next"` } : {} };
}

let lastId = 1_000;

function stored(state: GithubState, list: StoredComment[], given: Readonly<Record<string, unknown>>): Answer {
  if (tooLong(given['body'])) return bodyTooLong();
  const comment: StoredComment = { id: ++lastId, body: String(given['body']), user: { login: state.login, type: state.login.endsWith('[bot]') ? 'Bot' : 'User' }, ...places(given) };
  list.push(comment);
  return { status: 201, body: comment };
}

function places({ path, line, start_line: start }: Readonly<Record<string, unknown>>): Pick<StoredComment, 'path' | 'line' | 'start_line'> {
  return { ...(typeof path === 'string' ? { path } : {}), ...(typeof line === 'number' ? { line } : {}), ...(typeof start === 'number' ? { start_line: start } : {}) };
}

/** All or nothing, as GitHub does it. */
function addReview(state: GithubState, given: Readonly<Record<string, unknown>>): Answer {
  const comments = Array.isArray(given['comments']) ? given['comments'].map(record) : [];
  if (comments.some((comment) => !inDiff(state, comment))) return { status: 422, body: { message: 'Unprocessable Entity', errors: ['Line could not be resolved'], status: '422' } };
  if (given['commit_id'] !== state.headSha) return { status: 422, body: { message: 'Unprocessable Entity', errors: ['No commit found for SHA'], status: '422' } };
  if (comments.some(({ body }) => tooLong(body))) return bodyTooLong();
  const before = state.reviewComments.length;
  for (const comment of comments) stored(state, state.reviewComments, comment);
  const review = { id: ++lastId, comments: state.reviewComments.slice(before).map(({ id }) => id) };
  state.reviews.push(review);
  return { status: 200, body: { id: review.id } };
}

function addReviewComment(state: GithubState, given: Readonly<Record<string, unknown>>): Answer {
  if (!inDiff(state, given)) {
    return { status: 422, body: { message: 'Validation Failed', errors: [{ resource: 'PullRequestReviewComment', code: 'custom', field: 'pull_request_review_thread.line', message: 'must be part of the diff' }] } };
  }
  return stored(state, state.reviewComments, given);
}

/** Every line of a range, without a hole: GitHub wants both ends in one hunk. */
function inDiff({ diff }: GithubState, { path, line, side, start_line: start }: Readonly<Record<string, unknown>>): boolean {
  const lines = diff[String(path)] ?? [];
  const first = Number(start ?? line);
  return side === 'RIGHT' && first <= Number(line) && Array.from({ length: Number(line) - first + 1 }, (_, at) => first + at).every((one) => lines.includes(one));
}

function addCheck(state: GithubState, given: Readonly<Record<string, unknown>>): Answer {
  const check: StoredCheck = { id: ++lastId, name: String(given['name']), head_sha: String(given['head_sha']), status: 'queued', conclusion: undefined, title: '', summary: '', annotations: [] };
  const answer = changed(check, given);
  if (answer.status === 200) state.checks.push(check);
  return answer.status === 200 ? { ...answer, status: 201 } : answer;
}

function changeCheck(state: GithubState, id: number, given: Readonly<Record<string, unknown>>): Answer {
  const check = state.checks.find((one) => one.id === id);
  return check === undefined ? notFound() : changed(check, given);
}

function changed(check: StoredCheck, given: Readonly<Record<string, unknown>>): Answer {
  const output = record(given['output']);
  const annotations: unknown[] = Array.isArray(output['annotations']) ? output['annotations'] : [];
  if (annotations.length > MOST_ANNOTATIONS) return { status: 422, body: { message: 'Invalid request.\n\nNo more than 50 items are allowed' } };
  if (tooLong(output['summary'])) return bodyTooLong();
  check.annotations.push(...annotations);
  check.title = said(output['title']) ?? check.title;
  check.summary = said(output['summary']) ?? check.summary;
  check.status = said(given['status']) ?? check.status;
  check.conclusion = said(given['conclusion']) ?? check.conclusion;
  return { status: 200, body: { id: check.id } };
}

function graphql(state: GithubState, body: unknown): Answer {
  const { query, variables } = record(body);
  const text = String(query);
  const { thread } = record(variables);
  if (text.includes('viewer')) {
    return { status: 200, body: state.viewer === undefined ? { data: null, errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }] } : { data: { viewer: { login: state.viewer } } } };
  }
  if (text.includes('esolveReviewThread')) {
    const comment = state.reviewComments.find(({ id }) => `thread-${id}` === thread);
    if (!state.mayResolve || state.readOnly || comment === undefined) {
      return { status: 200, body: { data: null, errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }] } };
    }
    comment.isResolved = text.includes(' resolveReviewThread');
    return { status: 200, body: { data: { thread: { id: thread } } } };
  }
  const nodes = state.reviewComments.map(({ id, isResolved = false }) => ({ id: `thread-${id}`, isResolved, comments: { nodes: [{ databaseId: id }] } }));
  const at = Number(record(variables)['after'] ?? 0);
  const pageInfo = { hasNextPage: at + 100 < nodes.length, endCursor: String(at + 100) };
  return { status: 200, body: { data: { repository: { pullRequest: { reviewThreads: { nodes: nodes.slice(at, at + 100), pageInfo } } } } } };
}

function said(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function tooLong(body: unknown): boolean {
  return String(body).length > LONGEST_BODY;
}

function bodyTooLong(): Answer {
  return { status: 422, body: { message: 'Validation Failed', errors: [{ field: 'body', code: 'custom', message: 'body is too long (maximum is 65536 characters)' }] } };
}

function notFound(): Answer {
  return { status: 404, body: { message: 'Not Found' } };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
}
