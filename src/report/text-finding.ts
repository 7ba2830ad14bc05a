import type { Finding, ReviewStep } from '../review/types.js';
import { frame } from './frame.js';
import { printable, type Paint } from './paint.js';

/** One finding: headline, message, code, numbered path, action. */
export function textFinding(finding: Finding, source: string | undefined, paint: Paint, color: boolean): string {
  const severity = paint(finding.severity === 'error' ? 'red' : 'yellow', finding.severity);
  const place = `${finding.file}:${finding.line}:${finding.column}`;
  const framed = frame(finding, source, color);
  return [
    `${severity} ${finding.certainty} ${paint('bold', finding.rule)}  ${paint('cyan', place)}`,
    `  ${printable(finding.message)}`,
    ...(finding.causedBy === undefined ? [] : [`  ${paint('dim', 'brought by')}  ${printable(`${finding.causedBy.file}:${String(finding.causedBy.line)}`)}  ${printable(finding.causedBy.note)}`]),
    ...(framed === undefined ? [] : ['', indent(framed)]),
    ...(finding.witness.length === 0 ? [] : ['', ...steps(finding.witness, finding.file)]),
    ...(finding.conflictsWith === undefined ? [] : [`  ${paint('dim', 'second writer')}  ${finding.conflictsWith}`]),
    `  ${paint('dim', 'to do')}  ${printable(finding.action)}`,
    '',
  ].join('\n');
}

/** Numbered so that a person can say "step 3". The file is short when it is the finding's own. */
function steps(witness: readonly ReviewStep[], file: string): string[] {
  const rows = witness.map((step, at) => ({
    number: String(at + 1),
    role: step.role,
    place: `${step.file === file ? baseName(step.file) : step.file}:${step.line}`,
    note: printable(step.note),
  }));
  const width = (cell: 'number' | 'role' | 'place'): number => Math.max(...rows.map((row) => row[cell].length));
  const [number, role, place] = [width('number'), width('role'), width('place')];
  return rows.map((row) => `  ${row.number.padStart(number)} ${row.role.padEnd(role)}  ${row.place.padEnd(place)}  ${row.note}`.trimEnd());
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

function indent(block: string): string {
  return block.split('\n').map((line) => `  ${line}`.trimEnd()).join('\n');
}
