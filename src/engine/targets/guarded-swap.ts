import type { Transition } from './transition.js';

/** A write whose own condition tells whether it hit: who calls its function has an answer to heed. */
export function isGuardedSwap({ grade, sweeps }: Transition): boolean {
  return grade.grade !== 'unknown' && grade.grade >= 4 && !sweeps;
}
