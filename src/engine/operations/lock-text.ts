import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

const known = new Kept<Unit, boolean>();

/** Whether a file speaks of locks or leases at all. `block`, `clock`, `release` and `please` do not. */
export function mentionsLock(unit: Unit): boolean {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = unit.says(/(?<![bc])lock|(?<!re|p)lease|mutex|semaphore/i);
  known.set(unit, found);
  return found;
}
