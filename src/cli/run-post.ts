import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { UserMistake } from '../audit/user-mistake.js';
import type { DiffLines } from '../post/diff-lines.js';
import { githubHost } from '../post/github-host.js';
import { PostFailure } from '../post/post-failure.js';
import { postReview, type PostSurroundings } from '../post/post-review.js';
import type { Reporter } from '../post/reporters.js';
import type { ReportOptions } from '../report/formats.js';
import type { Review } from '../review/types.js';
import type { AuditFlags } from './audit-options.js';
import type { ExitCode } from './exit-code.js';
import { printedFormats } from './post-flags.js';
import type { Terminal } from './terminal.js';
import { packageVersion } from './version.js';

export interface PostRequest {
  readonly reporter: Reporter;
  /** With all findings, whatever the report lists. */
  readonly review: Review;
  readonly diff: DiffLines | undefined;
  readonly code: ExitCode;
  readonly options: Required<Pick<ReportOptions, 'source' | 'pathPrefix'>>;
}

/**
 * Posts a review as the flags and the environment say, and tells on stderr what was done.
 * @throws {UserMistake} when it could not be posted.
 */
export async function runPost({ reporter, review, diff, code, options }: PostRequest, flags: AuditFlags, terminal: Terminal): Promise<void> {
  try {
    const input = { review, diff, bar: code === 0 ? 'passed' : 'failed', ...options } as const;
    for (const sentence of await postReview(reporter, input, surroundings(flags, terminal))) terminal.stderr.write(`step-lock: ${sentence}\n`);
  } catch (error) {
    if (error instanceof PostFailure) throw new UserMistake(error.message, error.nextStep);
    throw error;
  }
}

function surroundings(flags: AuditFlags, { env, stdout, stderr, second = 1_000 }: Terminal): PostSurroundings {
  // GitHub reads commands on both; a report that a program reads keeps stdout to itself.
  const isFree = flags.outputFile !== undefined || flags.outputDir !== undefined || printedFormats(flags).join() === 'text';
  const output = isFree ? stdout : stderr;
  return {
    host: () => githubHost(env, flags, readText),
    api: async (host) => {
      const { createGithubApi } = await import('../post/octokit.js');
      return createGithubApi(host, `step-lock/${packageVersion()}`, { second });
    },
    print: (text) => { output.write(text); },
    jobSummary: jobSummary(env['GITHUB_STEP_SUMMARY']),
  };
}

function jobSummary(path: string | undefined): PostSurroundings['jobSummary'] {
  if (path === undefined || path === '') return undefined;
  return {
    bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    append: (text) => {
      try {
        appendFileSync(path, text);
      } catch {
        throw new PostFailure('The job summary cannot be written.', 'Look at GITHUB_STEP_SUMMARY.');
      }
    },
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
