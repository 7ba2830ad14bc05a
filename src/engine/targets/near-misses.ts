import { lockOperations } from '../functions/lock-operations.js';
import type { StateRead, StateWrite } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { runsBefore, sameTarget } from './accesses.js';
import { fileTransitions } from './file-transitions.js';
import { assignedStates, gateOf, SUBJECT_SCORE } from './gate.js';

/** A write that sets a named state in a state column, of a table that too little says to be step state. */
export interface NearMiss {
  readonly write: StateWrite;
  readonly target: string;
  readonly column: string;
  readonly states: readonly string[];
}

/** From here on a write is worth a person's look. */
const NEAR_SCORE = SUBJECT_SCORE - 2;

/** The writes of a file that would be judged if someone said that their table holds step state. One a table. */
export function nearMisses(unit: Unit): readonly NearMiss[] {
  const { accesses, transitions } = fileTransitions(unit);
  const judged = new Set(transitions.map((t) => t.write.node));
  const writes = accesses.filter((a): a is StateWrite => a.kind === 'write');
  const reads = accesses.filter((a): a is StateRead => a.kind === 'read');
  const found = new Map<string, NearMiss>();
  for (const write of writes) {
    const { target } = write;
    if (target === undefined || found.has(target) || judged.has(write.node)) continue;
    const fn = enclosingFunction(unit, write.node);
    const gate = gateOf(write, {
      unit,
      reads: reads.filter((r) => runsBefore(unit, r.node, write.node) && (r.node === write.loadedBy || sameTarget(r, write))),
      otherWrites: writes.filter((w) => w !== write && sameTarget(w, write)),
      usesLock: lockOperations(unit).some((o) => o.kind === 'acquire' && enclosingFunction(unit, o.node) === fn),
    });
    if (gate.kind !== 'state' || gate.stateColumn === undefined || gate.score < NEAR_SCORE || gate.score >= SUBJECT_SCORE) continue;
    const column = gate.stateColumn;
    const states = write.set.filter((a) => a.column === column).flatMap((a) => assignedStates(unit, a) ?? []);
    if (states.length > 0) found.set(target, { write, target, column, states });
  }
  return [...found.values()];
}
