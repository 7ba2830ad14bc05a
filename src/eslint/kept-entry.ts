import type { Finding } from './finding.js';

/** What is kept of a file. Plain data. */
export interface KeptEntry {
  /** The digest of its text. */
  readonly text: string;
  /** The digest of what it was judged with: settings, parser, TypeScript. */
  readonly under: string;
  /** Absent: there is nothing in it to judge. */
  readonly judged?: {
    readonly findings: readonly Finding[];
    /** Which exceptions file held, and what stood in it. */
    readonly exceptions: string;
    /** The day for which exceptions were judged; absent where there are none. */
    readonly day?: string;
    /** What the configurations above the file said of how long a run may take. */
    readonly limits: string;
  };
}
