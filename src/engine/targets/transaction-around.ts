import type ts from 'typescript';
import type { FlowGraph } from '../flow/cfg-types.js';
import { simulate } from '../flow/simulate.js';
import { graphOf } from '../functions/function-graph.js';
import { connectionOf } from '../operations/connection.js';
import { UNKNOWN_FORM } from '../operations/result-form.js';
import { transactionSteps } from '../operations/transaction-open.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { within } from './accesses.js';
import { fileTransitions } from './file-transitions.js';

/**
 * A transaction that is open where a node runs and is committed later. `callback`: the node stands in the function that runs inside. `steps`: between BEGIN and COMMIT.
 * `handed`: its handle came as a parameter, so that a caller commits.
 */
export interface TransactionAround {
  readonly kind: 'callback' | 'steps' | 'handed';
  /** The transaction's own client; undefined for a callback that takes none (the context carries it). */
  readonly handle: Term | undefined;
  /** What opens it: the call, the BEGIN, the parameter. */
  readonly opened: ts.Node;
  /** The code that runs inside, as far as it is in sight. */
  readonly from: number;
  readonly to: number;
}

/** The transactions that are open at a node, innermost first. */
export function transactionsAround(unit: Unit, node: ts.Node): readonly TransactionAround[] {
  const found: TransactionAround[] = [];
  for (let n: ts.Node = node.parent; !unit.ts.isSourceFile(n); n = n.parent) {
    if (!isFunctionWithBody(unit, n)) continue;
    const scope = fileTransitions(unit).accesses.find((a) => a.kind === 'transaction' && a.body === n);
    if (scope?.kind === 'transaction') found.push({ kind: 'callback', handle: scope.client, opened: scope.node, from: n.pos, to: n.end });
    found.push(...openedBySteps(unit, n, node), ...handedIn(unit, n));
  }
  return found;
}

/** BEGIN ran on every way here that matters, and a COMMIT of the same client comes after. */
function openedBySteps(unit: Unit, fn: ts.FunctionLikeDeclaration, node: ts.Node): TransactionAround[] {
  const steps = transactionSteps(unit, fn);
  return steps.filter((s) => s.word === 'begin' && s.node.end <= node.pos + 1).flatMap((begin): TransactionAround[] => {
    const ofClient = steps.filter((s) => sameTerm(s.client, begin.client));
    const commits = ofClient.filter((s) => s.word === 'commit');
    const last = commits.at(-1);
    const graph = last === undefined ? undefined : graphOf(unit, fn);
    if (last === undefined || graph === undefined || !isOpenAt(graph)) return [];
    return [{ kind: 'steps', handle: begin.client, opened: begin.node, from: begin.node.end, to: last.node.end }];

    function isOpenAt(graph: FlowGraph): boolean {
      const ids = new Set(idsAround(graph));
      const ends = new Set<ts.Node>(ofClient.filter((s) => s.word !== 'begin').map((s) => s.node));
      const worlds = simulate(unit, graph, { acquires: new Map([[begin.node, UNKNOWN_FORM]]), releases: ends, escapes: () => false, recalls: () => false });
      const here = worlds?.filter((w) => ids.has(w.at.id) && w.hold === 'held' && w.site === begin.node) ?? [];
      return here.some((w) => reachesCommit(graph, w.at.id));
    }

    /** Without an error on the way: that rolls back. */
    function reachesCommit(graph: FlowGraph, start: number): boolean {
      const commit = new Set<ts.Node>(commits.map((s) => s.node));
      const stop = new Set<ts.Node>(ofClient.map((s) => s.node));
      const seen = new Set([start]);
      const queue = [start];
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        for (const edge of graph.nodes[id]?.edges ?? []) {
          const next = graph.nodes[edge.to];
          if (edge.kind === 'throw' || next === undefined || seen.has(edge.to)) continue;
          if (next.node !== undefined && commit.has(next.node)) return true;
          seen.add(edge.to);
          if (next.node === undefined || !stop.has(next.node)) queue.push(edge.to);
        }
      }
      return false;
    }
  });

  function idsAround(graph: FlowGraph): readonly number[] {
    for (let n = node; n !== fn && n.parent; n = n.parent) {
      const ids = graph.idsOf(n);
      if (ids.length > 0) return ids;
    }
    return [];
  }
}

/** A parameter that only a transaction fits, by its type or its name. */
function handedIn(unit: Unit, fn: ts.FunctionLikeDeclaration): TransactionAround[] {
  const { ts } = unit;
  if (fileTransitions(unit).accesses.some((a) => a.kind === 'transaction' && a.body === fn)) return [];
  return fn.parameters.flatMap((p): TransactionAround[] => {
    if (!ts.isIdentifier(p.name) || connectionOf(unit, p.name).kind !== 'transaction') return [];
    const handle = termOf(unit, p.name);
    const endsItself = transactionSteps(unit, fn).some((s) => sameTerm(s.client, handle));
    return endsItself ? [] : [{ kind: 'handed', handle, opened: p, from: fn.pos, to: fn.end }];
  });
}

/** The transactions that are opened and ended between two places of a function. */
export function transactionsWithin(unit: Unit, fn: ts.Node, from: number, to: number): readonly ts.Node[] {
  const scopes = fileTransitions(unit).accesses.filter((a) => a.kind === 'transaction' && a.node.pos >= from && a.node.end <= to && within(a.node, fn)).map((a) => a.node);
  const begun = transactionSteps(unit, fn).filter((s) => s.word === 'begin' && s.node.pos >= from && s.node.end <= to).map((s) => s.node);
  return [...scopes, ...begun].filter((n) => enclosingFunction(unit, n) === fn);
}
