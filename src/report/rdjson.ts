import type { Finding, Review } from '../review/types.js';
import { isAccepted } from './accepted.js';
import type { ReportOptions } from './formats.js';
import { byteColumn, positionAt, textLines, type TextPosition } from './source-text.js';

interface Position {
  readonly line: number;
  /** UTF-8 bytes, from 1; left out where the source cannot be read, which makes the range one of whole lines. */
  readonly column?: number;
}
interface Range { readonly start: Position; readonly end: Position }

/**
 * Reviewdog's diagnostic format. Paths are those of the review: reviewdog resolves them where it runs. Columns count UTF-8 bytes there and
 * UTF-16 units in the review, so they are told only where the source can be read.
 */
export function rdjson(review: Review, options: Pick<ReportOptions, 'source' | 'rules'>): string {
  const result = {
    source: { name: review.tool.name },
    severity: review.findings.some((finding) => !isAccepted(finding) && finding.severity === 'error') ? 'ERROR' : 'WARNING',
    diagnostics: review.findings.filter((finding) => !isAccepted(finding)).map((finding) => diagnostic(finding, review, options)),
  };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}

function diagnostic(finding: Finding, { sites }: Review, options: Pick<ReportOptions, 'source' | 'rules'>): object {
  const text = options.source(finding.file);
  const address = options.rules?.find(({ id }) => id === finding.rule)?.address;
  const second = finding.conflictsWith === undefined ? undefined : sites.find(({ id }) => id === finding.conflictsWith);
  const related = [
    ...finding.witness.map(({ file, line, column, role, note }) => ({ file, line, column, message: `${role}: ${note}`.replace(/: $/, '') })),
    ...(second === undefined ? [] : [{ file: second.file, line: second.line, column: second.column, message: `the second worker: ${second.name}` }]),
  ];
  return {
    message: `${finding.message} To do: ${finding.action}`,
    location: {
      path: finding.file,
      range: range(text, { line: finding.line, column: finding.column }, { line: finding.endLine, column: finding.endColumn }),
    },
    severity: finding.severity === 'error' ? 'ERROR' : 'WARNING',
    code: { value: finding.rule, ...(address === undefined ? {} : { url: address }) },
    ...(finding.fix === undefined || text === undefined ? {} : { suggestions: suggestions(finding.fix, text) }),
    related_locations: related.map(({ file, message, ...place }) => ({
      message, location: { path: file, range: range(options.source(file), place, place) },
    })),
  };
}

/** Several edits of one fix are one suggestion: each alone may be wrong. */
function suggestions({ edits }: NonNullable<Finding['fix']>, text: string): object[] {
  const ordered = edits.toSorted((a, b) => a.start - b.start);
  const [first] = ordered;
  const last = ordered.at(-1);
  if (first === undefined || last === undefined) return [];
  const replaced = ordered.map(({ text: put, end }, at) => put + text.slice(end, ordered[at + 1]?.start ?? end)).join('');
  return [{ range: range(text, positionAt(text, first.start), positionAt(text, last.end)), text: replaced }];
}

function range(text: string | undefined, start: TextPosition, end: TextPosition): Range {
  const lines = text === undefined ? [] : textLines(text);
  const [from, to] = [byteColumn(lines, start), byteColumn(lines, end)];
  // One column alone would mean something else than both or none.
  if (from === undefined || to === undefined) return { start: { line: start.line }, end: { line: end.line } };
  return { start: { line: start.line, column: from }, end: { line: end.line, column: to } };
}
