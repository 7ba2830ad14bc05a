import type { Place } from '../place.js';
import { sameColumn, sameTarget } from '../targets/accesses.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { choosesByKey, serialEngineOf } from '../targets/serial-engine.js';
import type { TargetRow } from '../targets/target-table.js';
import { identityOf, type Transition } from '../targets/transition.js';
import type { Writer } from '../targets/writers.js';

/**
 * How a write inside an engine that runs the code of one key in turn stands to the other writers. `alone`: all of them run there, the row is chosen by the key, and
 * nothing comes in between. `perhaps`: all run there, and one of the other two is not in sight. `beside`: somebody writes the same row outside.
 */
export type SerialOfWrite =
  | { readonly kind: 'alone' | 'perhaps'; readonly engine: string; readonly at: Place; readonly missing: string }
  | { readonly kind: 'beside'; readonly engine: string; readonly outsider: Pick<Writer, 'unit' | 'node'> };

/** Undefined for a write outside of such engines. */
export function serialOfWrite(transition: Transition, row: TargetRow | undefined): SerialOfWrite | undefined {
  const { unit, write, gate } = transition;
  const engine = serialEngineOf(unit, write.node);
  if (engine === undefined) return undefined;
  const here = fileTransitions(unit).transitions.filter((t) => t.write !== write && sameTarget(t.write, write)).map((t) => ({ unit: t.unit, node: t.write.node, transition: t }));
  const outsider = (row?.writers ?? here).find((w) => {
    const column = w.transition.gate.stateColumn;
    const isSame = column === undefined || gate.stateColumn === undefined || sameColumn(column, gate.stateColumn);
    return w.transition.write !== write && isSame && serialEngineOf(w.unit, w.node)?.group !== engine.group;
  });
  if (outsider !== undefined) return { kind: 'beside', engine: engine.name, outsider };
  const byKey = choosesByKey(engine, identityOf(write));
  const missing = byKey ? 'whether another entry of the object comes in while this one awaits' : 'whether the key of the engine is the row';
  return { kind: engine.exclusive && byKey ? 'alone' : 'perhaps', engine: engine.name, at: engine.unit.placeOf(engine.group), missing };
}
