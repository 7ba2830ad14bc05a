import type { Review } from '../review/types.js';
import { githubAnnotations } from './github-annotations.js';
import { gitlab } from './gitlab.js';
import { json } from './json.js';
import { markdown } from './markdown.js';
import { rdjson } from './rdjson.js';
import type { ReportRule } from './report-rule.js';
import { sarif } from './sarif.js';
import { text } from './text.js';

/** What a format may use beside the review. */
export interface ReportOptions {
  readonly color: boolean;
  /** The text of a file of the review, for code frames; `undefined` when it cannot be read. */
  source(file: string): string | undefined;
  /** The rules that were judged, for formats that describe them; without them a format names rules by id. */
  readonly rules?: readonly ReportRule[];
  /** The working directory seen from the top of its git work tree: empty, or `a/b/`. Code hosts tell paths from the top. */
  readonly pathPrefix?: string;
}

/** A review as text to print. Pure: same review, same sources, same bytes. */
export type ReportFormat = (review: Review, options: ReportOptions) => string;

/** Every format by its name on the command line. */
export const formats = { text, json, markdown, sarif, gitlab, rdjson, 'github-annotations': githubAnnotations } as const satisfies Record<string, ReportFormat>;

export type Format = keyof typeof formats;
