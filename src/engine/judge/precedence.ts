import type { Outcome } from './outcome.js';

/** Of two rules that find fault with one subject, the first speaks: one report a root cause. */
const PRECEDENCE: readonly (readonly [speaks: string, silent: string])[] = [
  // A write that neither locks nor compares, where the other writers lock, lacks the lock.
  ['require-lock', 'require-cas'],
  // What is not awaited has no answer yet.
  ['no-floating-lock', 'no-ignored-acquire-result'],
  // A renewal whose answer nobody reads is told as that.
  ['no-ignored-extend-result', 'no-floating-lock'],
  // A call about another key is no release or renewal of this lock.
  ['no-key-mismatch', 'require-atomic-release'],
  ['no-key-mismatch', 'require-release-owner'],
  ['no-key-mismatch', 'no-unheld-release'],
  // The answer of a renewal that compares no owner says nothing of the owner.
  ['require-atomic-release', 'no-ignored-extend-result'],
];

/** The outcomes of one subject with `supersededBy` set where another rule's finding tells the same root cause. Independent of which rules are switched on. */
export function withPrecedence(outcomes: Readonly<Record<string, Outcome>>): Readonly<Record<string, Outcome>> {
  const result = { ...outcomes };
  for (const [speaks, silent] of PRECEDENCE) {
    const [a, b] = [result[speaks], result[silent]];
    if (a?.status === 'violated' && a.strictOnly !== true && b?.status === 'violated') result[silent] = { ...b, supersededBy: speaks };
  }
  return result;
}
