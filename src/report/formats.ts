import type { Review } from '../review/types.js';
import { html } from './html.js';
import { json } from './json.js';
import { markdown } from './markdown.js';
import { text } from './text.js';

/** What a format may use beside the review. */
export interface ReportOptions {
  readonly color: boolean;
  /** The text of a file of the review, for code frames and excerpts; `undefined` when it cannot be read. */
  source(file: string): string | undefined;
}

/** A review as text to print. Pure: same review, same sources, same bytes. */
export type ReportFormat = (review: Review, options: ReportOptions) => string;

/** Every format by its name on the command line. */
export const formats = { text, json, markdown, html } as const satisfies Record<string, ReportFormat>;

export type Format = keyof typeof formats;
