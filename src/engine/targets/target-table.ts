import { declaredStates } from './states.js';
import { canOverlap } from './overlap.js';
import { targetKey } from './step-words.js';
import type { Transition } from './transition.js';
import { writersOf, type Writer } from './writers.js';

/** One kind of step state with all who write it. */
export interface TargetRow {
  /** As the first writer spells it that names a table, a model or a document; what a type guards is spelled by people. */
  readonly name: string;
  readonly states: readonly string[];
  /** In the order of files and text. */
  readonly writers: readonly Writer[];
  /** Pairs that can overlap; a writer beside itself can do so when it is entered twice. */
  readonly conflicts: readonly (readonly [Writer, Writer])[];
}

/** Targets with more writers are compared no further: machine-made code. */
const MOST_WRITERS = 200;

/** The transitions of all files by the target they move. Where the table is not in sight, they belong to their file alone. */
export function targetGroups(transitions: readonly Transition[]): ReadonlyMap<string, readonly Transition[]> {
  const groups = new Map<string, Transition[]>();
  for (const t of transitions) {
    const key = rowKey(t);
    const some = groups.get(key);
    if (some === undefined) groups.set(key, [t]);
    else some.push(t);
  }
  return groups;
}

/** What the transitions of one row have in common. */
export function rowKey({ unit, write }: Transition): string {
  return write.target === undefined ? `? ${unit.path}` : targetKey(write.target);
}

/** The row of the transitions of one group. */
export function rowOf(all: readonly Transition[]): TargetRow {
  const transitions = withoutNamesakes(all);
  const writers = transitions.flatMap(writersOf).sort((a, b) => (a.unit.path < b.unit.path ? -1 : a.unit.path > b.unit.path ? 1 : a.node.pos - b.node.pos));
  const named = transitions.find(({ write }) => write.layer !== 'structural') ?? transitions[0];
  return { name: named?.write.target ?? 'unknown', states: statesOf(transitions, writers), writers, conflicts: writers.length > MOST_WRITERS ? [] : pairs(writers) };
}

/** A call of `transition(id, from, to)` says no more of itself where the statement that it leads to is in sight: that one stands for it. */
function withoutNamesakes(transitions: readonly Transition[]): readonly Transition[] {
  if (!transitions.some(({ write }) => write.layer === 'structural')) return transitions;
  const stoodFor = new Set(transitions.filter(({ write }) => write.layer !== 'structural').flatMap(writersOf).map(({ node }) => node));
  return transitions.filter(({ write }) => write.layer !== 'structural' || !stoodFor.has(write.node));
}

function pairs(writers: readonly Writer[]): (readonly [Writer, Writer])[] {
  return writers.flatMap((a, i) => writers.slice(i).filter((b) => canOverlap(a, b)).map((b) => [a, b] as const));
}

/** The declared states first, in their order; then those that writers name. */
function statesOf(transitions: readonly Transition[], writers: readonly Writer[]): readonly string[] {
  const declared = transitions.flatMap((t) => declaredStates(t.unit, t.write.target, t.gate.stateColumn)?.states ?? []);
  const named = writers.flatMap(({ from, to, transition: { gate } }) => (gate.kind === 'read-modify-write' ? [] : [...(from === 'any' ? [] : from), ...(to === 'unknown' ? [] : to)]));
  // An expression in place of a state (`step.status`) is none.
  return [...new Set([...declared, ...named])].filter((s) => /^[\w-]+(?: cleared)?$/.test(s));
}
