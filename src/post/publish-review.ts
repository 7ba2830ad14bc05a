import { repositoryPath } from '../report/file-uri.js';
import { isAccepted } from '../report/accepted.js';
import type { Finding, Review } from '../review/types.js';
import type { DiffLines } from './diff-lines.js';
import { ownComments, type OwnComment, type OwnComments } from './existing-comments.js';
import { GithubRefusal, type GithubApi } from './github-api.js';
import type { GithubHost } from './github-host.js';
import { inlineComment, newFindings, type InlineComment } from './inline-comment.js';
import { resolvedMarker, withoutMarker } from './marker.js';
import { changeThreads } from './review-threads.js';
import { hasNews, summaryComment } from './summary.js';

/** More are not read. Comments of earlier runs that are still open count. */
const MOST_INLINE = 10;

/** How often a run is begun again after GitHub failed in the middle of writing. */
const MOST_RUNS = 3;

export interface ReviewPost {
  readonly review: Review;
  /** Undefined: nothing is known of the diff, and everything goes to the summary. */
  readonly diff: DiffLines | undefined;
  readonly pathPrefix: string;
  source(file: string): string | undefined;
}

/** What was written; a second run over the same review has nothing but zeros. */
export interface Published {
  readonly commented: number;
  readonly resolved: number;
  readonly reopened: number;
  readonly summary: 'written' | 'updated' | 'unchanged' | 'none';
  /** New findings that the summary alone tells. */
  readonly inSummary: number;
  /** False where comments say that they are resolved and their threads stay open for want of a right. */
  readonly threads: boolean;
}

interface Target { readonly host: GithubHost; readonly pull: number; readonly headSha: string }

/**
 * Brings a pull request to what the review says. It reads first and writes the difference, so that it can be begun again: where the server
 * fails in the middle nobody knows what it has stored, and reading tells.
 * @throws {GithubRefusal}
 */
export async function publishReview(api: GithubApi, target: Target, post: ReviewPost): Promise<Published> {
  let before: OwnComments | undefined;
  for (let run = 1; ; run++) {
    try {
      const existing = await ownComments(api, target.host, target.pull);
      before ??= existing;
      return await bringUpToDate(api, target, post, existing, before);
    } catch (error) {
      if (!(error instanceof GithubRefusal && error.isServerFault) || run === MOST_RUNS) throw error;
    }
  }
}

/** @param before What was there when the first run began: what is told was done is the difference to it. */
async function bringUpToDate(api: GithubApi, target: Target, post: ReviewPost, existing: OwnComments, before: OwnComments): Promise<Published> {
  const plan = planned(existing, post);
  const refused = await comment(api, target, plan.add, post.pathPrefix);
  for (const { id, fingerprint, body } of plan.resolve) {
    await edit(api, target, id, resolvedBody(fingerprint, withoutMarker(body), target.headSha));
  }
  for (const { id, body } of plan.reopen) await edit(api, target, id, body);
  const threads = await changeThreads(api, target.host, target.pull, { resolve: plan.resolve.map(({ id }) => id), reopen: plan.reopen.map(({ id }) => id) });

  const inline = new Set([...plan.standing, ...plan.add.map(({ finding }) => finding.fingerprint)].filter((print) => !refused.has(print)));
  const summary = await writeSummary(api, target, existing.summary, post, inline);
  const done = existing === before ? plan : planned(before, post);
  return {
    commented: done.add.filter(({ finding }) => !refused.has(finding.fingerprint)).length,
    resolved: done.resolve.length,
    reopened: done.reopen.length,
    summary: before.summary === undefined && summary === 'unchanged' ? 'written' : summary,
    inSummary: newFindings(post.review).filter(({ fingerprint }) => !inline.has(fingerprint)).length,
    threads,
  };
}

interface Plan {
  readonly add: readonly InlineComment[];
  readonly resolve: readonly OwnComment[];
  readonly reopen: readonly { readonly id: number; readonly body: string }[];
  /** Fingerprints with an open comment after the run, beside the added ones. */
  readonly standing: readonly string[];
}

function planned(existing: OwnComments, { review, diff, source, pathPrefix }: ReviewPost): Plan {
  const found = new Set(review.findings.filter((finding) => !isAccepted(finding)).map(({ fingerprint }) => fingerprint));
  // A finding in a file that was not judged to the end is not mended because it is not found.
  const unjudged = new Set(review.errors.map(({ file }) => repositoryPath(file, pathPrefix)));
  const open = existing.inline.filter(({ state }) => state === 'finding');
  const resolve = open.filter(({ fingerprint, path }) => !found.has(fingerprint) && !unjudged.has(path));
  const stay = open.filter((comment) => !resolve.includes(comment));

  const told = new Set(stay.map(({ fingerprint }) => fingerprint));
  const add: InlineComment[] = [];
  const reopen: { id: number; body: string; fingerprint: string }[] = [];
  for (const finding of distinct(newFindings(review))) {
    if (told.has(finding.fingerprint)) continue;
    if (told.size >= MOST_INLINE) break;
    const placed = diff === undefined ? undefined : inlineComment(finding, diff, source);
    if (placed === undefined) continue;
    const before = existing.inline.findLast(({ fingerprint, state }) => state === 'resolved' && fingerprint === finding.fingerprint);
    if (before === undefined) add.push(placed);
    else reopen.push({ id: before.id, body: placed.body, fingerprint: finding.fingerprint });
    told.add(finding.fingerprint);
  }
  return { add, resolve, reopen, standing: [...stay, ...reopen].map(({ fingerprint }) => fingerprint) };
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.fingerprint, finding])).values()].toReversed();
}

/**
 * Writes the comments as one review, which notifies once. A line that GitHub does not see in the diff makes it refuse the whole: then one
 * by one.
 * @returns The fingerprints of those refused.
 */
async function comment(api: GithubApi, { host, pull, headSha }: Target, add: readonly InlineComment[], pathPrefix: string): Promise<Set<string>> {
  const refused = new Set<string>();
  if (add.length === 0) return refused;
  const place = { owner: host.owner, repo: host.repo, pull_number: pull, commit_id: headSha };
  const comments = add.map((one) => commentOf(one, pathPrefix));
  try {
    await api.create('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', { ...place, event: 'COMMENT', body: '', comments });
    return refused;
  } catch (error) {
    if (!(error instanceof GithubRefusal && error.isUnplaceable)) throw error;
  }
  for (const [at, one] of comments.entries()) {
    try {
      await api.create('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments', { ...place, ...one });
    } catch (error) {
      if (!(error instanceof GithubRefusal && error.isUnplaceable)) throw error;
      refused.add(add[at]?.finding.fingerprint ?? '');
    }
  }
  return refused;
}

function commentOf({ file, lines, body }: InlineComment, pathPrefix: string): Readonly<Record<string, string | number>> {
  const from = lines.first === lines.last ? {} : { start_line: lines.first, start_side: 'RIGHT' };
  return { path: repositoryPath(file, pathPrefix), body, ...from, line: lines.last, side: 'RIGHT' };
}

async function edit(api: GithubApi, { host }: Target, id: number, body: string): Promise<void> {
  await api.call('PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}', { owner: host.owner, repo: host.repo, comment_id: id, body });
}

function resolvedBody(fingerprint: string, told: string, headSha: string): string {
  return [resolvedMarker(fingerprint), `<details><summary>Resolved in ${headSha.slice(0, 12)}: no longer found, or accepted.</summary>`, '', told, '', '</details>'].join('\n');
}

async function writeSummary(api: GithubApi, { host, pull, headSha }: Target, existing: OwnComments['summary'], { review, pathPrefix }: ReviewPost, inline: ReadonlySet<string>): Promise<Published['summary']> {
  if (existing === undefined && !hasNews(review)) return 'none';
  const place = { owner: host.owner, repo: host.repo };
  const body = summaryComment(review, { host, headSha, pathPrefix, inline });
  if (existing === undefined) {
    await api.create('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...place, issue_number: pull, body });
    return 'written';
  }
  // GitHub trims what it stores.
  if (existing.body.trim() === body.trim()) return 'unchanged';
  await api.call('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', { ...place, comment_id: existing.id, body });
  return 'updated';
}
