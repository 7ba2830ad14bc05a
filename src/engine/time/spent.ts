import type ts from 'typescript';
import type { Unit } from '../syntax/unit.js';

/**
 * A step whose time is known from the code. `wait`: it lasts so long. `limit`: it may last so long. `rounds`: so long in all its rounds. `default`: the library gives
 * up after so long where nobody says otherwise.
 */
export interface KnownStep {
  readonly kind: 'wait' | 'limit' | 'rounds' | 'default' | 'declared';
  readonly node: ts.Node;
  readonly ms: number;
  /** The place inside a called function that takes the time. */
  readonly inner?: { readonly unit: Unit; readonly node: ts.Node };
}

/** What an awaited call without a known limit goes to. `model`: a language model. `store`: one command of a database or cache. `opaque`: code that cannot be read. */
export type Work = 'model' | 'process' | 'network' | 'opaque' | 'store';

/** A call that says nothing of its end. */
export interface OpenStep {
  readonly node: ts.Node;
  readonly work: Work;
}

/** A loop whose rounds nobody has counted. `endless`: it ends by what its work answers. `list`: as often as a list is long. */
export interface OpenLoop {
  readonly node: ts.Node;
  readonly kind: 'endless' | 'list';
  readonly work: Work;
}

/** The longest way through a piece of code as far as constants tell, and what on it they do not tell. */
export interface Spent {
  readonly ms: number;
  readonly steps: readonly KnownStep[];
  readonly loops: readonly OpenLoop[];
  readonly open: readonly OpenStep[];
  /** The code asks a clock, a signal or the lock itself whether to go on. */
  readonly watched: boolean;
}

export const NOTHING_SPENT: Spent = { ms: 0, steps: [], loops: [], open: [], watched: false };

export function inTurn(parts: readonly Spent[]): Spent {
  return parts.reduce((a, b) => (a === NOTHING_SPENT ? b : b === NOTHING_SPENT ? a : join(a, b, a.ms + b.ms, [...a.steps, ...b.steps])), NOTHING_SPENT);
}

/** One of several ways, or all at once: the longest counts. */
export function longestOf(parts: readonly Spent[]): Spent {
  return parts.reduce((a, b) => (a === NOTHING_SPENT ? b : b === NOTHING_SPENT ? a : join(a, b, Math.max(a.ms, b.ms), a.ms >= b.ms ? a.steps : b.steps)), NOTHING_SPENT);
}

function join(a: Spent, b: Spent, ms: number, steps: readonly KnownStep[]): Spent {
  return { ms, steps, loops: [...a.loops, ...b.loops], open: [...a.open, ...b.open], watched: a.watched || b.watched };
}

/** One step that stands for what a called function, or all rounds of a loop, take. */
export function asOneStep(spent: Spent, node: ts.Node, unit: Unit, kind: KnownStep['kind'] | undefined, rounds = 1): Spent {
  const longest = [...spent.steps].sort((a, b) => b.ms - a.ms)[0];
  const work = worstWork(spent);
  const inner = longest === undefined ? undefined : longest.inner ?? { unit, node: longest.node };
  return {
    ms: spent.ms * rounds,
    steps: longest === undefined ? [] : [{ kind: kind ?? longest.kind, node, ms: spent.ms * rounds, ...(inner === undefined ? {} : { inner }) }],
    loops: spent.loops.slice(0, 1).map((l) => ({ ...l, node })),
    open: work === undefined ? [] : [{ node, work }],
    watched: spent.watched,
  };
}

const ORDER: readonly Work[] = ['model', 'process', 'network', 'opaque', 'store'];

/** The slowest kind of work among the calls without a limit. */
export function worstWork({ open }: Spent): Work | undefined {
  return ORDER.find((work) => open.some((o) => o.work === work));
}
