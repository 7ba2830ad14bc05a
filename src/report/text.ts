import { isOpen } from '../review/open-findings.js';
import type { Review } from '../review/types.js';
import type { ReportOptions } from './formats.js';
import { createPaint } from './paint.js';
import { textChange } from './text-change.js';
import { textFinding } from './text-finding.js';
import { textSummary } from './text-summary.js';

/** The report for a person at a terminal: each finding with its code and path, then the summary. */
export function text(review: Review, options: ReportOptions): string {
  const paint = createPaint(options.color);
  const source = lastFile(options.source);
  const findings = review.findings.filter(isOpen).map((finding) => textFinding(finding, source(finding.file), paint, options.color));
  return [...findings, ...textChange(review, paint), textSummary(review, paint)].join('\n');
}

/** Findings come file by file: the last text is enough, and a large tree is not kept in memory. */
function lastFile(read: (file: string) => string | undefined): (file: string) => string | undefined {
  let last: { readonly file: string; readonly text: string | undefined } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, text: read(file) };
    return last.text;
  };
}
