import type ts from 'typescript';
import type { Place, WitnessStep } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import { splitCommands } from './split-commands.js';
import { splitFiles } from './split-files.js';
import { splitMarkers } from './split-markers.js';
import { splitRows } from './split-rows.js';
import { Kept } from '../kept.js';

/** A lock, or a marker of "done once", that is taken in two steps: a read that finds it free, and a write that asks nothing. */
export interface SplitAcquire {
  /** The function that takes it. */
  readonly fn: ts.Node;
  /** What is written without asking, as text: a key, a row, a path. */
  readonly what: string;
  readonly read: Place;
  /** The write. */
  readonly at: Place;
  /** The two steps by name: `GET` and `SET`. */
  readonly reads: string;
  readonly writes: string;
  /** `row`: a lock in a row. `marker`: it says that something was done, and nothing calls it a lock. `late`: it is written only when the work is done. */
  readonly kind: 'lock' | 'row' | 'marker' | 'late';
  readonly certain: boolean;
  readonly advice: string;
  readonly witness: readonly WitnessStep[];
}

const known = new Kept<Unit, readonly SplitAcquire[]>();

/** The first such acquire of each function of a file. */
export function splitAcquires(unit: Unit): readonly SplitAcquire[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = new Map<ts.Node, SplitAcquire>();
  for (const split of [...splitCommands(unit), ...splitRows(unit), ...splitMarkers(unit), ...splitFiles(unit)]) if (!found.has(split.fn)) found.set(split.fn, split);
  const all = [...found.values()];
  known.set(unit, all);
  return all;
}
