import { formats, type ReportOptions } from '../report/formats.js';
import type { Review } from '../review/types.js';
import type { FormatName } from './format-files.js';
import { printedFormats } from './post-flags.js';
import type { Terminal } from './terminal.js';
import { deliver, isColored, type ReportFlags, type WrittenReport } from './written-report.js';

/**
 * Writes the review in each of the formats, and gives back what was written.
 * @param shown What a format shows of the review.
 * @throws {UserMistake} for a file that cannot be written.
 */
export function writeReports(shown: (format: FormatName) => Review, flags: ReportFlags, terminal: Terminal, more: Omit<ReportOptions, 'color'>): readonly WrittenReport[] {
  const options = { ...more, color: isColored(flags, terminal) };
  const reports = printedFormats(flags).map((format) => ({ format, text: formats[format](shown(format), options) }));
  deliver(reports, flags, terminal);
  return reports;
}
