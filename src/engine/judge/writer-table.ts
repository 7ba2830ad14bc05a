import type { Unit } from '../syntax/unit.js';
import type { TargetRow } from '../targets/target-table.js';
import type { Transition } from '../targets/transition.js';
import type { Writer } from '../targets/writers.js';

/** The rows of the target table, as one file asks for them. */
export interface WriterTable {
  rowOf(transition: Transition): TargetRow | undefined;
  /** Calls in a file that stand for the write of a store's method. */
  callsIn(unit: Unit): readonly Writer[];
}

/** Looks rows up by transition and calls by file. */
export function writerTable(rows: readonly TargetRow[]): WriterTable {
  const byTransition = new Map<Transition, TargetRow>();
  const calls = new Map<Unit, Writer[]>();
  for (const row of rows) {
    for (const writer of row.writers) {
      byTransition.set(writer.transition, row);
      if (writer.node === writer.transition.write.node) continue;
      const some = calls.get(writer.unit);
      if (some === undefined) calls.set(writer.unit, [writer]);
      else some.push(writer);
    }
  }
  return { rowOf: (transition) => byTransition.get(transition), callsIn: (unit) => calls.get(unit) ?? [] };
}
