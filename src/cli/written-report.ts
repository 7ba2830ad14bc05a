import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserMistake } from '../audit/user-mistake.js';
import { FORMAT_FILES, type FormatName } from './format-files.js';
import { printedFormats, type PostFlags } from './post-flags.js';
import { wantsColor, type Terminal } from './terminal.js';

/** Which reports are wanted, and where. */
export interface ReportFlags extends PostFlags {
  /** Missing: text. */
  readonly format?: readonly FormatName[];
  readonly outputFile?: string;
  readonly outputDir?: string;
  readonly color: boolean;
}

/** A report as it is printed. */
export interface WrittenReport {
  readonly format: FormatName;
  readonly text: string;
}

/**
 * Looks at the flags before the work begins: a mistake in them is told at once.
 * @throws {UserMistake} for several formats that have no place each.
 */
export function checkReportFlags(flags: ReportFlags): void {
  const { outputFile, outputDir } = flags;
  const format = printedFormats(flags);
  if (outputFile !== undefined && outputDir !== undefined) {
    throw new UserMistake('`--output-file` and `--output-dir` do not go together.', 'Give --output-file for one report, or --output-dir for one file a format.');
  }
  if (format.length > 1 && outputDir === undefined) {
    const where = outputFile === undefined ? 'go to stdout' : 'go into one file';
    throw new UserMistake(`Several formats (${format.join(', ')}) cannot ${where}.`, 'Give --output-dir a folder, where each becomes a file, or ask for one format.');
  }
}

/** Whether the reports are coloured: only those on a terminal are. */
export function isColored({ outputFile, outputDir, color }: ReportFlags, { stdout, env }: Terminal): boolean {
  return outputFile === undefined && outputDir === undefined && wantsColor(stdout, env, color);
}

/**
 * Writes the reports to stdout, to the file, or as `step-lock.*` to the folder.
 * @throws {UserMistake} for a file that cannot be written.
 */
export function deliver(reports: readonly WrittenReport[], flags: ReportFlags, terminal: Terminal): void {
  for (const { format, text } of reports) {
    if (flags.outputDir !== undefined) write(terminal.cwd, join(flags.outputDir, FORMAT_FILES[format]), '--output-dir the path of a folder that can be written to', text);
    else if (flags.outputFile !== undefined) write(terminal.cwd, flags.outputFile, '--output-file the path of a file that can be written', text);
    else terminal.stdout.write(text);
  }
}

function write(cwd: string, argument: string, wanted: string, report: string): void {
  const path = resolve(cwd, argument);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, report);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UserMistake(`The report cannot be written to \`${argument}\` (${why}).`, `Give ${wanted}.`);
  }
}
