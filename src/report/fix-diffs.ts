import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { edited } from '../engine/edited-text.js';
import { isOpen } from '../review/open-findings.js';
import type { Finding, Review } from '../review/types.js';
import type { ReportOptions } from './formats.js';
import { printable } from './paint.js';

/**
 * The checked fixes of the open findings as unified diffs, as `git apply` reads them: one a finding, each of the file as it is. What a file's text no longer fits is left out.
 */
export function fixDiffs(review: Review, { source }: Pick<ReportOptions, 'source'>): string {
  return review.findings.filter(isOpen).flatMap((finding) => diffOf(finding, source(finding.file)) ?? []).join('\n');
}

function diffOf(finding: Finding, text: string | undefined): string | undefined {
  const { fix, file } = finding;
  const mended = text === undefined || fix === undefined ? undefined : edited(text, fix.edits);
  if (text === undefined || fix === undefined || mended === undefined) return undefined;
  const patch = createTwoFilesPatch(`a/${file}`, `b/${file}`, text, mended, undefined, undefined, { context: 3, headerOptions: FILE_HEADERS_ONLY });
  // What stands before a diff is a comment to every program that reads diffs.
  return printable([`# ${finding.id} ${finding.rule} ${file}:${finding.line}: ${fix.title.replace(/\s+/g, ' ')}`, ''].join('\n')) + patch;
}
