import type { Suggestion } from '../engine/judge/outcome.js';

/** What ESLint is told of one fault. Plain data, so that it can be kept; lines and columns start at 1. */
export interface Finding {
  /** The id of the rule, without the prefix of the plugin. */
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly messageId: string;
  readonly data: Readonly<Record<string, string>>;
  /** Those that hold when they are made. Absent: there are some, and they have not been tried. */
  readonly suggestions?: readonly Suggestion[];
}
