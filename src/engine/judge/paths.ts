import type ts from 'typescript';
import { throwsNothing } from '../flow/call-words.js';
import { FlowBudgetError } from '../flow/cfg-budget.js';
import { buildFlowGraph } from '../flow/cfg-build.js';
import type { FlowGraph, FlowRoot } from '../flow/cfg-types.js';
import { lockPaths, resultNames, type AnswerUse, type LockPaths } from '../flow/lock-paths.js';
import type { Protocol, World } from '../flow/simulate.js';
import { witnessOf } from '../flow/witness.js';
import type { AcquireOperation, Operation, ReleaseOperation } from '../operations/operation.js';
import type { Place, WitnessStep } from '../place.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction, wholeValue } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** What the paths of a function say of one acquire, as a rule reads it. */
export interface AcquirePaths {
  /** The exit that leaves the lock until its TTL. */
  readonly leak: { readonly at: Place; readonly by: 'return' | 'throw'; readonly witness: readonly WitnessStep[] } | undefined;
  /** No path of the function frees the lock: its caller has to, or its TTL does. */
  readonly handedOver: boolean;
  readonly answer: AnswerUse['kind'];
  /** For an answer that is dropped, misread or followed by the same work: the path of the loser. */
  readonly loser: { readonly at: Place; readonly effect: string; readonly witness: readonly WitnessStep[] } | undefined;
}

/** Where a release stands on the paths of its function. `elsewhere`: the function does not take the lock. */
export type ReleasePaths = { readonly kind: 'always-held' | 'elsewhere' | 'unknown' } | { readonly kind: 'unheld'; readonly witness: readonly WitnessStep[] };

/** Judges paths on demand, each function's graph built once. */
export interface PathFinder {
  acquire(acquire: AcquireOperation, releases: readonly ReleaseOperation[]): AcquirePaths | undefined;
  release(release: ReleaseOperation, acquires: readonly AcquireOperation[]): ReleasePaths;
}

/** The path finder of one file, given all its lock operations. Functions that are too large give no answer. */
export function pathFinder(unit: Unit, all: readonly Operation[]): PathFinder {
  const { ts } = unit;
  const lockCalls = new Set<ts.Node>(all.map((o) => o.node));
  const graphs = new Map<ts.Node, FlowGraph | undefined>();

  return {
    acquire(acquire, releases) {
      const fn = enclosingFunction(unit, acquire.node);
      const graph = graphOf(fn);
      const found = graph && lockPaths(unit, graph, acquire.node, protocolOf([acquire], inside(fn, releases)));
      return found && described(acquire, found);
    },
    release(release, acquires) {
      const fn = enclosingFunction(unit, release.node);
      const here = inside(fn, acquires);
      const first = here[0];
      if (first === undefined) return { kind: 'elsewhere' };
      const graph = graphOf(fn);
      const found = graph && lockPaths(unit, graph, first.node, protocolOf(here, [release]));
      if (found === undefined) return { kind: 'unknown' };
      const world = found.unheld.get(release.node);
      return world === undefined ? { kind: 'always-held' } : { kind: 'unheld', witness: unheldWitness(world, first, release) };
    },
  };

  function unheldWitness(world: World, acquire: AcquireOperation, release: ReleaseOperation): WitnessStep[] {
    return witnessOf(unit, world, acquire.node, { node: release.node, role: 'release', note: 'runs although this call does not hold the lock' });
  }

  function inside<Op extends { readonly node: ts.Node }>(fn: ts.Node, some: readonly Op[]): Op[] {
    return some.filter((o) => enclosingFunction(unit, o.node) === fn);
  }

  function graphOf(root: FlowRoot): FlowGraph | undefined {
    if (graphs.has(root)) return graphs.get(root);
    let graph: FlowGraph | undefined;
    try {
      graph = buildFlowGraph(ts, root, { mayThrow: (node) => !throwsNothing(unit, node) });
    } catch (error) {
      if (!(error instanceof FlowBudgetError)) throw error;
    }
    graphs.set(root, graph);
    return graph;
  }

  function protocolOf(acquires: readonly AcquireOperation[], releases: readonly ReleaseOperation[]): Protocol {
    const names = new Set<Binding>(acquires.flatMap((a) => [...resultNames(unit, a.node)]));
    const owners = acquires.flatMap((a) => (a.owner !== undefined && a.owner.kind !== 'const' ? [a.owner] : []));
    const sites = new Map(acquires.map((a) => [a.node as ts.Node, a.result]));
    const freed = new Set<ts.Node>(releases.map((r) => r.node));
    return {
      acquires: sites,
      releases: freed,
      // Whoever gets the owner token, or the handle, may free the lock.
      escapes: (node) => !lockCalls.has(node) && argumentsOf(node).some((a) => namesLock(a) || owners.some((owner) => sameTerm(termOf(unit, a), owner))),
      recalls: () => false,
    };

    function namesLock(argument: ts.Expression): boolean {
      const e = bare(unit, argument);
      const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
      return binding !== undefined && names.has(binding);
    }
  }

  function argumentsOf(node: ts.Node): readonly ts.Expression[] {
    if (ts.isCallExpression(node)) return node.arguments.filter((a) => !ts.isSpreadElement(a));
    return ts.isReturnStatement(node) && node.expression !== undefined ? [node.expression] : [];
  }

  function described(acquire: AcquireOperation, { leak, handedOver, answer }: LockPaths): AcquirePaths {
    return {
      leak: leak && {
        at: unit.placeOf(leak.node),
        by: leak.by,
        witness: witnessOf(unit, leak.world, acquire.node, { node: leak.node, role: 'exit', note: leak.by === 'throw' ? 'throws here, and nothing frees the lock' : 'leaves, and the lock stays' }),
      },
      handedOver,
      answer: answer.kind,
      loser: 'effect' in answer ? loserOf(acquire, answer) : undefined,
    };
  }

  function loserOf(acquire: AcquireOperation, answer: AnswerUse & { readonly kind: 'dropped' | 'misread' | 'repeated' }): AcquirePaths['loser'] {
    const { effect, world, kind } = answer;
    const place = unit.placeOf(acquire.node);
    const end = effect === undefined ? { node: acquire.node, role: 'exit' as const, note: 'nobody learns who has the lock' } : { node: effect, role: 'call' as const, note: 'runs without the lock' };
    const witness = world === undefined ? [{ place, role: 'acquire' as const, note: 'the answer says who has the lock' }] : witnessOf(unit, world, acquire.node, end);
    const at = kind === 'repeated' && effect !== undefined ? unit.placeOf(effect) : kind === 'misread' ? (testOf(acquire) ?? place) : place;
    return { at, effect: effect === undefined ? '' : effect.getText(unit.file).slice(0, 40), witness };
  }

  /** The first place that looks at the answer. */
  function testOf(acquire: AcquireOperation): Place | undefined {
    const names = resultNames(unit, acquire.node);
    if (names.size === 0) return unit.placeOf(wholeValue(unit, acquire.node));
    let found: ts.Node | undefined;
    const visit = (n: ts.Node): void => {
      if (found !== undefined || n.end < acquire.node.end) return;
      if (ts.isIdentifier(n) && n.pos > acquire.node.end) {
        const binding = unit.scopes.resolve(n);
        if (binding !== undefined && names.has(binding)) found = n;
      }
      ts.forEachChild(n, visit);
    };
    visit(enclosingFunction(unit, acquire.node));
    return found && unit.placeOf(found);
  }
}
