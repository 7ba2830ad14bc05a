import type { Place } from '../place.js';
import { sameColumn, sameTarget } from '../targets/accesses.js';
import { fileTransitions } from '../targets/file-transitions.js';
import type { TargetRow } from '../targets/target-table.js';
import type { Transition } from '../targets/transition.js';

/** How many writers of a target name the state they expect: evidence against those that do not. */
export interface GuardsOfTarget {
  readonly column: string;
  readonly guarded: number;
  /** One that does. */
  readonly example: Place;
}

/** Undefined where the write itself compares the column, or where less than half of the writers do. */
export function guardsOfTarget(transition: Transition, row: TargetRow | undefined): GuardsOfTarget | undefined {
  const { unit, write, gate } = transition;
  const column = gate.stateColumn;
  if (column === undefined || write.target === undefined || compares(transition, column)) return undefined;
  const known = row === undefined ? fileTransitions(unit).transitions.filter((t) => sameTarget(t.write, write)) : row.writers.map((w) => w.transition);
  const all = [...new Map(known.map((t) => [t.write.node, t])).values()].filter((t) => t.gate.stateColumn !== undefined && sameColumn(t.gate.stateColumn, column));
  const guarded = all.filter((t) => compares(t, column));
  const [example] = guarded;
  if (example === undefined || guarded.length * 2 < all.length) return undefined;
  return { column, guarded: guarded.length, example: example.unit.placeOf(example.write.node) };
}

function compares({ write }: Transition, column: string): boolean {
  return write.where.some((c) => !c.mayBeAbsent && sameColumn(c.column, column));
}
