import { absolutePath } from '../audit/file-path.js';
import { fileTree, type OtherVersion } from '../audit/file-tree.js';
import { changeReview } from '../change/change-review.js';
import { changeSet } from '../change/change-set.js';
import { isWithinLines } from '../change/diff.js';
import { exceptionsOfChange } from '../review/open-findings.js';
import type { Review } from '../review/types.js';
import type { AuditFlags } from './audit-options.js';
import type { ExitCode } from './exit-code.js';
import type { FormatName } from './format-files.js';
import { baselined, publish } from './audit-anew.js';
import { bothSides } from './both-sides.js';
import type { Terminal } from './terminal.js';
import { checkReportFlags } from './written-report.js';

/** The flags of `review` as commander hands them over. */
export interface ReviewFlags extends AuditFlags {
  readonly base: string;
  /** List findings that were there before too. */
  readonly all: boolean;
}

/**
 * Judges the work tree and its merge base with a ref by the same engine and configuration, and reports what the change brought.
 * @throws {UserMistake} for a base that cannot be found, and as `audit` does.
 */
export async function runReview(paths: readonly string[], flags: ReviewFlags, terminal: Terminal): Promise<ExitCode> {
  checkReportFlags(flags);
  const review = await reviewedChange(paths, flags, terminal);
  const { code } = await publish(review, flags, terminal, {
    shown: (format) => (flags.all || !FOR_PEOPLE.has(format) ? review : withoutOld(review)),
    diff: () => changeSet(terminal.cwd, flags.base).lines,
  });
  return code;
}

/** Reports that a person reads from top to bottom tell what was there before as a number; those that a program reads, or that have filters, carry it. */
const FOR_PEOPLE: ReadonlySet<FormatName> = new Set(['text', 'markdown']);

function withoutOld(review: Review): Review {
  return { ...review, findings: review.findings.filter(({ change }) => change !== 'old') };
}

/** The review of the work tree against its merge base with `flags.base`. */
export async function reviewedChange(paths: readonly string[], flags: ReviewFlags, terminal: Terminal): Promise<Review> {
  const { base, head, lines, baseVersion } = changeSet(terminal.cwd, flags.base);
  const { now, then } = await bothSides(paths, flags, terminal, baseVersion);
  const review = changeReview(await baselined(now, paths, flags, terminal), then, { base: base.ref, mergeBase: base.id, head, lines, texts: { head: textsOf(terminal.cwd), base: textsOf(terminal.cwd, baseVersion) } });
  // A comment is touched with the line that it speaks of.
  return { ...review, exceptions: exceptionsOfChange(review.exceptions, (file, line) => [line, line + 1].some((at) => isWithinLines(lines.file(file), at))) };
}

function textsOf(cwd: string, other?: OtherVersion): (path: string) => string | undefined {
  const tree = fileTree(other);
  return (path) => {
    const source = tree.read(absolutePath(cwd, path));
    return source !== 'gone' && 'text' in source ? source.text : undefined;
  };
}
