import { codeFrameColumns } from '@babel/code-frame';
import type { Finding } from '../review/types.js';
import { printable } from './paint.js';

const LONGEST_LINE = 300;
const CONTEXT = 2;
/** Of a statement over many lines so much is shown: a condition or a second argument often says what is wrong. */
const MOST_LINES = 5;

/** The lines around a finding with the place marked; `undefined` where they cannot be read or would flood the screen. */
export function frame(finding: Finding, source: string | undefined, color: boolean): string | undefined {
  if (source === undefined) return undefined;
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/);
  const first = lines[finding.line - 1];
  const further = Math.min(finding.endLine - finding.line, MOST_LINES);
  const linesBelow = Math.max(CONTEXT, further + 1);
  const shown = lines.slice(Math.max(0, finding.line - 1 - CONTEXT), finding.line + linesBelow);
  if (first === undefined || shown.some((line) => line.length > LONGEST_LINE)) return undefined;

  const start = { line: finding.line, column: finding.column };
  // Of a place of many lines the first is marked: carets under every line are hard to read.
  const end = { line: finding.line, column: finding.endLine === finding.line ? finding.endColumn : first.trimEnd().length + 1 };
  return codeFrameColumns(printable(lines.join('\n')), { start, end }, { linesAbove: CONTEXT, linesBelow, highlightCode: color, forceColor: color });
}
