import type { ReportFormat, ReportOptions } from '../report/formats.js';
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
export async function writeReports(shown: (format: FormatName) => Review, flags: ReportFlags, terminal: Terminal, more: Omit<ReportOptions, 'color'>): Promise<readonly WrittenReport[]> {
  const options: ReportOptions = {
    color: isColored(flags, terminal), source: more.source,
    ...(more.rules && { rules: more.rules }),
    // Asked for by some formats only, and then of git.
    get pathPrefix() {
      return more.pathPrefix ?? '';
    },
  };
  const reports: WrittenReport[] = [];
  for (const format of printedFormats(flags)) {
    const write = await formatNamed(format);
    reports.push({ format, text: write(shown(format), options) });
  }
  deliver(reports, flags, terminal);
  return reports;
}

/** What is printed on most terminals does not wait for the others. */
async function formatNamed(name: FormatName): Promise<ReportFormat> {
  return name === 'text' ? (await import('../report/text.js')).text : (await import('../report/formats.js')).formats[name];
}
