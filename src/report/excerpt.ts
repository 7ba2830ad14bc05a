import type { Finding, ReviewStep } from '../review/types.js';

/** The source around the steps of a finding in one file. */
export interface Excerpt {
  readonly file: string;
  /** Runs of lines, in the order of the file; empty when the source cannot be read. */
  readonly runs: readonly (readonly ExcerptLine[])[];
}

export interface ExcerptLine {
  readonly number: number;
  readonly text: string;
  /** Whether the text is a part of a longer line. */
  readonly cut: boolean;
  /** The steps that stand on the line, numbered from 1 as in the path. */
  readonly steps: readonly NumberedStep[];
  /** Whether the finding is reported here. */
  readonly reported: boolean;
}

export interface NumberedStep { readonly number: number; readonly step: ReviewStep }

const CONTEXT = 2;
/** Runs that are that close are one. */
const GAP = 2;
/** In characters. Longer lines are bundles or data: a part around the place is shown. */
const LONGEST_LINE = 400;
const BEFORE_PLACE = 120;

/** Excerpts of a finding, its files in the order in which the path comes to them. */
export function excerptsOf(finding: Finding, linesOf: (file: string) => readonly string[] | undefined): Excerpt[] {
  const steps = finding.witness.map((step, at) => ({ number: at + 1, step }));
  const files = [...new Set([...steps.map(({ step }) => step.file), finding.file])];
  return files.map((file) => ({ file, runs: runsOf(finding, file, steps.filter(({ step }) => step.file === file), linesOf(file)) }));
}

function runsOf(finding: Finding, file: string, steps: readonly NumberedStep[], lines: readonly string[] | undefined): ExcerptLine[][] {
  if (lines === undefined) return [];
  const reported = finding.file === file ? [finding.line] : [];
  const wanted = [...new Set([...steps.map(({ step }) => step.line), ...reported])].filter((line) => line >= 1 && line <= lines.length).sort((a, b) => a - b);

  const runs: { from: number; to: number }[] = [];
  for (const line of wanted) {
    const from = Math.max(1, line - CONTEXT);
    const to = Math.min(lines.length, line + CONTEXT);
    const last = runs.at(-1);
    if (last !== undefined && from <= last.to + GAP) last.to = to;
    else runs.push({ from, to });
  }
  return runs.map(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => {
    const number = from + at;
    const here = steps.filter(({ step }) => step.line === number);
    const column = here[0]?.step.column ?? (reported.includes(number) ? finding.column : 1);
    return { number, ...partOf(lines[number - 1] ?? '', column), steps: here, reported: reported.includes(number) };
  }));
}

function partOf(line: string, column: number): { readonly text: string; readonly cut: boolean } {
  if (line.length <= LONGEST_LINE) return { text: line, cut: false };
  const start = Math.max(0, Math.min(column - 1 - BEFORE_PLACE, line.length - LONGEST_LINE));
  const end = start + LONGEST_LINE;
  return { text: `${start === 0 ? '' : '\u2026'}${line.slice(start, end)}${end >= line.length ? '' : '\u2026'}`, cut: true };
}
