import type { Review } from '../review/types.js';

/** The review itself: the contract that other programs read. */
export function json(review: Review): string {
  return `${JSON.stringify(review, undefined, 2)}\n`;
}
