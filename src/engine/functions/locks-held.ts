import type ts from 'typescript';
import type { FlowGraph } from '../flow/cfg-types.js';
import { simulate, type Hold } from '../flow/simulate.js';
import { Kept } from '../kept.js';
import { sameKey } from '../operations/lock-keys.js';
import type { AcquireOperation, LockEvidence } from '../operations/operation.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { graphOf } from './function-graph.js';
import { lockOperations } from './lock-operations.js';
import { lockNamer } from './names-lock.js';

/** A lock that is held whenever a place runs. */
export interface HeldLock {
  readonly operation: AcquireOperation;
  /** In the terms of the function that takes the lock. */
  readonly key: Term;
  readonly evidence: LockEvidence;
}

/**
 * The locks of the file that are held on every path to a node: taken before it and not yet freed, or around the function that runs under them. An inner function
 * that is handed to an awaited call runs while that call does. Locks of rows are left aside, as they belong to the statement that takes them, and so are those that end
 * with their transaction, unless they are asked for too.
 */
export function locksHeldAround(unit: Unit, node: ts.Node, asked?: 'with-transaction-locks'): readonly HeldLock[] {
  const memory = asked === undefined ? LASTING : WITH_TRANSACTIONS;
  const acquires = acquiresOf(unit, memory);
  if (acquires.all.length === 0) return [];
  const held = memory.around.get(node);
  if (held !== undefined) return held;
  const found = heldAround(unit, acquires, node);
  memory.around.set(node, found);
  return found;
}

interface Acquires {
  readonly all: readonly AcquireOperation[];
  readonly byFunction: ReadonlyMap<ts.Node, readonly AcquireOperation[]>;
}

/** What was worked out for one of the two questions. */
class Memory {
  readonly around = new Kept<ts.Node, readonly HeldLock[]>();
  readonly acquires = new Kept<Unit, Acquires>();
}

const LASTING = new Memory();
const WITH_TRANSACTIONS = new Memory();

function acquiresOf(unit: Unit, memory: Memory): Acquires {
  const held = memory.acquires.get(unit);
  if (held !== undefined) return held;
  const all = lockOperations(unit).filter((o): o is AcquireOperation => o.kind === 'acquire' && (o.scope !== 'transaction' || memory === WITH_TRANSACTIONS));
  const byFunction = new Map<ts.Node, AcquireOperation[]>();
  for (const acquire of all) {
    const fn = enclosingFunction(unit, acquire.node);
    const some = byFunction.get(fn);
    if (some === undefined) byFunction.set(fn, [acquire]);
    else some.push(acquire);
  }
  const made = { all, byFunction };
  memory.acquires.set(unit, made);
  return made;
}

function heldAround(unit: Unit, acquires: Acquires, node: ts.Node): readonly HeldLock[] {
  const { ts } = unit;
  const held: AcquireOperation[] = [];
  let at = node;
  let isAwaited = true;
  for (;;) {
    const fn = enclosingFunction(unit, at);
    // `return run(async () => ..)` may go on after the `finally` of its function.
    if (isAwaited) held.push(...heldIn(fn, at));
    const runner = ts.isSourceFile(fn) ? undefined : runnerOf(unit, fn);
    if (runner === undefined) break;
    held.push(...(acquires.byFunction.get(enclosingFunction(unit, runner.call)) ?? []).filter((a) => a.scope === 'callback' && a.node === runner.call && a.body !== undefined && bare(unit, a.body) === fn));
    at = runner.call;
    ({ isAwaited } = runner);
  }
  return [...new Set(held)].map((operation) => ({ operation, key: operation.key, evidence: operation.evidence }));

  function heldIn(fn: ReturnType<typeof enclosingFunction>, place: ts.Node): AcquireOperation[] {
    const here = (acquires.byFunction.get(fn) ?? []).filter((a) => a.scope !== 'callback' && a.node.pos < place.pos);
    return here.filter((a) => {
      const holds = holdsAt(unit, a, place);
      return holds !== undefined && holds.size > 0 && [...holds].every((hold) => hold === 'held');
    });
  }
}

/**
 * Where a lock stands when a place of the acquire's function is reached: one answer for all its paths. Empty for a place no path reaches; undefined where the function is too
 * large for a graph or has too many paths.
 */
export function holdsAt(unit: Unit, acquire: AcquireOperation, place: ts.Node): ReadonlySet<Hold> | undefined {
  const held = known.get(acquire);
  const paths = held ?? pathsOf(unit, acquire);
  if (held === undefined) known.set(acquire, paths);
  if (paths.graph === undefined) return undefined;
  const { graph, escapes } = paths;
  // What the place itself does with the lock comes after it is reached.
  const holds = escapes(place) ? holdsByNode(unit, paths, (n) => n !== place && escapes(n)) : holdsOf(unit, paths);
  if (holds === undefined) return undefined;
  const ids = idsAround(place, enclosingFunction(unit, acquire.node), (n) => graph.idsOf(n));
  return new Set(ids.flatMap((id) => [...holds.get(id) ?? []]));
}

/** The paths through the function of an acquire. Each call behind it asks for them. */
interface AcquirePaths {
  readonly acquire: AcquireOperation;
  /** Undefined where the function is too large for one. */
  readonly graph: FlowGraph | undefined;
  readonly escapes: (node: ts.Node) => boolean;
}
/** Where the lock stands, by the node of the graph. */
type HoldsByNode = ReadonlyMap<number, ReadonlySet<Hold>>;

const known = new Kept<AcquireOperation, AcquirePaths>();
const holdsKnown = new Kept<AcquirePaths, { readonly holds: HoldsByNode | undefined }>();

function holdsOf(unit: Unit, paths: AcquirePaths): HoldsByNode | undefined {
  const held = holdsKnown.get(paths);
  if (held !== undefined) return held.holds;
  const holds = holdsByNode(unit, paths, paths.escapes);
  holdsKnown.set(paths, { holds });
  return holds;
}

function pathsOf(unit: Unit, acquire: AcquireOperation): AcquirePaths {
  const { ts } = unit;
  const namesLock = lockNamer(unit, [acquire]);
  const calls = new Set<ts.Node>(lockOperations(unit).map((o) => o.node));
  return {
    acquire, graph: graphOf(unit, enclosingFunction(unit, acquire.node)),
    escapes: (n) => ts.isCallExpression(n) && !calls.has(n) && n.arguments.some((x) => !ts.isSpreadElement(x) && namesLock(x)),
  };
}

/** Undefined where there are too many paths. */
function holdsByNode(unit: Unit, { acquire, graph }: AcquirePaths, escapes: (node: ts.Node) => boolean): HoldsByNode | undefined {
  const worlds = graph && simulate(unit, graph, {
    acquires: new Map([[acquire.node, acquire.result]]),
    releases: new Set(lockOperations(unit).filter((o) => o.kind === 'release' && sameKey(o.key, acquire.key)).map((r) => r.node)),
    escapes,
    recalls: () => false,
  });
  if (worlds === undefined) return undefined;
  const found = new Map<number, Set<Hold>>();
  for (const { at, hold } of worlds) {
    const some = found.get(at.id);
    if (some === undefined) found.set(at.id, new Set([hold]));
    else some.add(hold);
  }
  return found;
}

/** The graph nodes of a place: its own, else those of the nearest expression or statement around it that has some. */
function idsAround(place: ts.Node, fn: ts.Node, idsOf: (node: ts.Node) => readonly number[]): readonly number[] {
  for (let n = place; n !== fn && n.parent; n = n.parent) {
    const ids = idsOf(n);
    if (ids.length > 0) return ids;
  }
  return [];
}

/** The call an inner function is handed to, where that call is awaited or is what its function gives back. */
function runnerOf(unit: Unit, fn: ts.Node): { readonly call: ts.CallExpression; readonly isAwaited: boolean } | undefined {
  const { ts } = unit;
  let e: ts.Node = fn;
  while (ts.isParenthesizedExpression(e.parent) || ts.isAsExpression(e.parent)) e = e.parent;
  const call = e.parent;
  if (!ts.isCallExpression(call) || !call.arguments.some((a) => a === e)) return undefined;
  for (let whole: ts.Node = call; ;) {
    const p: ts.Node = whole.parent;
    if (ts.isAwaitExpression(p)) return { call, isAwaited: true };
    if (ts.isReturnStatement(p) || (ts.isArrowFunction(p) && p.body === whole)) return { call, isAwaited: false };
    // `Promise.all(items.map(async (i) => ..))`
    const isGathered = ts.isCallExpression(p) && p.arguments.some((a) => a === whole) && /^Promise\.(all|allSettled)$/.test(p.expression.getText(unit.file));
    if (!isGathered && !ts.isParenthesizedExpression(p) && !ts.isAsExpression(p)) return undefined;
    whole = p;
  }
}
