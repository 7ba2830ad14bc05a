import { codeFrameColumns } from '@babel/code-frame';
import type { Finding } from '../review/types.js';
import { printable } from './paint.js';

const LONGEST_LINE = 300;
const MOST_LINES = 6;

/** The lines around a finding with the place marked; `undefined` where they cannot be read or would flood the screen. */
export function frame(finding: Finding, source: string | undefined, color: boolean): string | undefined {
  if (source === undefined) return undefined;
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/);
  const shown = lines.slice(Math.max(0, finding.line - 3), finding.line + 2);
  if (lines[finding.line - 1] === undefined || shown.some((line) => line.length > LONGEST_LINE)) return undefined;

  const start = { line: finding.line, column: finding.column };
  const end = { line: finding.endLine, column: finding.endColumn };
  // A place of many lines is marked where it starts: the witness tells the rest.
  const location = finding.endLine - finding.line < MOST_LINES ? { start, end } : { start };
  return codeFrameColumns(printable(lines.join('\n')), location, { linesAbove: 2, linesBelow: 2, highlightCode: color, forceColor: color });
}
