import type { RowStatus, Verdict } from './types.js';

/**
 * The verdict over all rows of the review. Nothing seen is no pass, and a row that is unknown keeps the review from being ready.
 * @param sites How many places were judged.
 */
export function verdictOf(sites: number, rows: readonly { readonly status: RowStatus }[]): Verdict {
  if (sites === 0) return 'nothing-seen';
  if (rows.some(({ status }) => status === 'violated')) return 'not-ready';
  return rows.some(({ status }) => status === 'unknown') ? 'undecided' : 'ready';
}
