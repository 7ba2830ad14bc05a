import { resolve } from 'node:path';
import { absolutePath } from '../audit/file-path.js';
import { keptState } from '../audit/kept-state.js';
import { fileTree, type OtherVersion } from '../audit/file-tree.js';
import { changeReview } from '../change/change-review.js';
import { changeSet } from '../change/change-set.js';
import { isWithinLines } from '../change/diff.js';
import { exceptionsOfChange } from '../review/open-findings.js';
import type { Review } from '../review/types.js';
import type { AuditFlags } from './audit-options.js';
import type { ExitCode } from './exit-code.js';
import { printedFormat } from './post-options.js';
import { auditedReview, baselined, publish } from './run-audit.js';
import { packageVersion } from './version.js';
import type { Terminal } from './terminal.js';

/** The flags of `review` as commander hands them over. */
export interface ReviewFlags extends AuditFlags {
  readonly base: string;
  /** List findings that were there before too. */
  readonly all: boolean;
  /** Keep what was found of the base for the next review. */
  readonly cache: boolean;
  readonly cacheFolder?: string;
}

/**
 * Judges the work tree and its merge base with a ref by the same engine and configuration, and reports what the change brought.
 * @throws {UserMistake} for a base that cannot be found, and as `audit` does.
 */
export async function runReview(paths: readonly string[], flags: ReviewFlags, terminal: Terminal): Promise<ExitCode> {
  const review = await reviewedChange(paths, flags, terminal);
  const listed = flags.all || !FOR_PEOPLE.has(printedFormat(flags)) ? review : withoutOld(review);
  return publish(listed, flags, terminal, { review, diff: () => changeSet(terminal.cwd, flags.base).lines });
}

/** Reports that a person reads tell what was there before as a number; those that a program reads carry it. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['text', 'markdown']);

function withoutOld(review: Review): Review {
  return { ...review, findings: review.findings.filter(({ change }) => change !== 'old') };
}

/** The review of the work tree against its merge base with `flags.base`. */
export async function reviewedChange(paths: readonly string[], flags: ReviewFlags, terminal: Terminal): Promise<Review> {
  const { base, head, lines, baseVersion } = changeSet(terminal.cwd, flags.base);
  const kept = keptState(cacheFolder(terminal.cwd, flags), JSON.stringify([terminal.cwd, paths, flags.includeTests, flags.includeGenerated, flags.includeDeclarations, flags.rules]));
  const key = packageVersion();
  const then = await auditedReview(paths, flags, terminal, { otherVersion: baseVersion, earlier: { state: flags.cache ? kept.read() : undefined, key } });
  const state = then.result.state?.();
  if (flags.cache && state !== undefined && then.result.judgedAnew > 0) kept.write(state);
  const now = await auditedReview(paths, flags, terminal, { earlier: { state, key } });
  const review = changeReview(baselined(now.review, paths, flags, terminal), then.review, { base: base.ref, mergeBase: base.id, head, lines, texts: { head: textsOf(terminal.cwd), base: textsOf(terminal.cwd, baseVersion) } });
  // A comment is touched with the line that it speaks of.
  return { ...review, exceptions: exceptionsOfChange(review.exceptions, (file, line) => [line, line + 1].some((at) => isWithinLines(lines.file(file), at))) };
}

/** Beside what the package manager keeps there, where it is in no one's way; CI caches it by path. */
function cacheFolder(cwd: string, { cacheFolder: named }: ReviewFlags): string {
  return resolve(cwd, named ?? 'node_modules/.cache/step-lock');
}

function textsOf(cwd: string, other?: OtherVersion): (path: string) => string | undefined {
  const tree = fileTree(other);
  return (path) => {
    const source = tree.read(absolutePath(cwd, path));
    return source !== 'gone' && 'text' in source ? source.text : undefined;
  };
}
