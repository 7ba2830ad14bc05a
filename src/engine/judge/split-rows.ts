import type { Unit } from '../syntax/unit.js';
import type { SplitAcquire } from './split-acquire.js';

export function splitRows(_unit: Unit): SplitAcquire[] {
  return [];
}
