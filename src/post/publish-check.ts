import { z } from 'zod';
import { repositoryPath } from '../report/file-uri.js';
import type { Finding, Review } from '../review/types.js';
import { COMMENT_BYTES } from './body-budget.js';
import type { GithubApi } from './github-api.js';
import type { GithubHost } from './github-host.js';
import { newFindings } from './inline-comment.js';
import { summary } from './summary.js';

/** GitHub takes so many a request; further requests add to them. */
const ANNOTATIONS_A_REQUEST = 50;
/** More than anybody looks at in a check. */
const MOST_ANNOTATIONS = 500;
const LONGEST_MESSAGE = 4_000;
const LONGEST_TITLE = 255;

/** Whether the findings reach the bar that fails the run. */
export type Bar = 'passed' | 'failed';

export interface CheckPost {
  readonly review: Review;
  readonly pathPrefix: string;
  readonly bar: Bar;
}

/**
 * Writes a check run on the head commit, with an annotation a finding. A later run on the same commit adds another check run, which GitHub
 * shows in place of this one.
 * @returns How many annotations were written.
 * @throws {GithubRefusal}
 */
export async function publishCheck(api: GithubApi, host: GithubHost, headSha: string, { review, pathPrefix, bar }: CheckPost): Promise<number> {
  const place = { owner: host.owner, repo: host.repo };
  const annotations = newFindings(review).slice(0, MOST_ANNOTATIONS).map((finding) => annotation(finding, pathPrefix));
  const output = { title: title(review), summary: summary(review, { host, headSha, pathPrefix, inline: new Set() }, COMMENT_BYTES) };
  const batches = Array.from({ length: Math.max(1, Math.ceil(annotations.length / ANNOTATIONS_A_REQUEST)) }, (_, at) =>
    annotations.slice(at * ANNOTATIONS_A_REQUEST, (at + 1) * ANNOTATIONS_A_REQUEST));
  const end = { status: 'completed', conclusion: conclusion(review, bar) };
  const created = await api.create('POST /repos/{owner}/{repo}/check-runs', {
    ...place, name: 'step-lock', head_sha: headSha, ...(batches.length === 1 ? end : { status: 'in_progress' }), output: { ...output, annotations: batches[0] ?? [] },
  });
  const { id } = z.object({ id: z.number() }).parse(created);
  for (const [at, batch] of batches.slice(1).entries()) {
    // Annotations of a repeated request would stand there twice.
    await api.create('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      ...place, check_run_id: id, ...(at === batches.length - 2 ? end : {}), output: { ...output, annotations: batch },
    });
  }
  return annotations.length;
}

/** What is undecided or was not seen is no success, and nothing to fail a merge for. */
function conclusion({ verdict }: Review, bar: Bar): 'success' | 'failure' | 'neutral' {
  if (bar === 'failed') return 'failure';
  return verdict === 'nothing-seen' ? 'neutral' : 'success';
}

function title(review: Review): string {
  const fresh = newFindings(review).length;
  if (review.change === undefined) return `${review.verdict}: ${fresh} ${fresh === 1 ? 'finding' : 'findings'}`;
  return `${fresh} new, ${review.change.fixed.length} mended, ${review.change.old} there before`;
}

/** Plain text: GitHub renders no Markdown here. */
function annotation(finding: Finding, pathPrefix: string): Readonly<Record<string, string | number>> {
  const { severity, certainty, rule, witness } = finding;
  const path = witness.map((step, at) => `${at + 1}. ${step.role} ${step.file}:${step.line} ${step.note}`.trimEnd()).join('\n');
  return {
    path: repositoryPath(finding.file, pathPrefix),
    start_line: finding.line,
    end_line: finding.endLine,
    // Columns are for places on one line alone.
    ...(finding.endLine === finding.line ? { start_column: finding.column, end_column: Math.max(finding.column, finding.endColumn) } : {}),
    annotation_level: severity === 'error' ? 'failure' : 'warning',
    title: `${rule} (${certainty})`.slice(0, LONGEST_TITLE),
    message: `${finding.message}\nTo do: ${finding.action}`.slice(0, LONGEST_MESSAGE),
    ...(path === '' ? {} : { raw_details: path.slice(0, LONGEST_MESSAGE) }),
  };
}
