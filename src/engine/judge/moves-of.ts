import type { Place } from '../place.js';
import { tableOfWrite } from '../targets/table-of-write.js';
import type { Transition } from '../targets/transition.js';

/** How a write stands to the declared table of moves of its target, with places, as a rule reads it. */
export type MovesOfWrite =
  | { readonly kind: 'none' }
  /** `at`: where the code looks into the table before it writes. */
  | { readonly kind: 'asked'; readonly table: string; readonly at: Place }
  | { readonly kind: 'open'; readonly table: string; readonly missing: 'from' | 'to' }
  | { readonly kind: 'legal'; readonly table: string; readonly tableAt: Place }
  | {
    readonly kind: 'illegal';
    readonly table: string;
    readonly tableAt: Place;
    readonly from: string;
    readonly to: string;
    /** Nothing leads out of the old state. */
    readonly isFinal: boolean;
    /** What says that the row is in the old state: the statement's own condition, or a test before it. */
    readonly bySource: 'statement' | 'test';
    readonly source: Place;
    readonly at: Place;
  };

export function movesOf(transition: Transition): MovesOfWrite {
  const found = tableOfWrite(transition);
  if (found.kind === 'none') return found;
  const table = found.table.name;
  const tableAt = found.table.unit.placeOf(found.table.node);
  const { unit, write } = transition;
  switch (found.kind) {
    case 'asked': return { kind: 'asked', table, at: unit.placeOf(found.at) };
    case 'open': return { kind: 'open', table, missing: found.missing };
    case 'legal': return { kind: 'legal', table, tableAt };
    case 'illegal': return {
      kind: 'illegal', table, tableAt, from: found.from, to: found.to, isFinal: found.table.isFinal(found.from), bySource: found.source.by, source: unit.placeOf(found.source.at), at: unit.placeOf(write.node),
    };
  }
}
