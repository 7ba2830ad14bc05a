import type ts from 'typescript';
import { isCaught, throwsNothing } from '../flow/call-words.js';
import { FlowBudgetError } from '../flow/cfg-budget.js';
import { buildFlowGraph } from '../flow/cfg-build.js';
import type { FlowGraph, FlowRoot } from '../flow/cfg-types.js';
import type { Unit } from '../syntax/unit.js';
import { Kept, KeptByName } from '../kept.js';

/** The flow graph of a function, built once a unit; undefined when it is too large. */
export function graphOf(unit: Unit, root: FlowRoot): FlowGraph | undefined {
  const graphs = graphsOf(unit);
  if (graphs.has(root)) return graphs.get(root);
  let graph: FlowGraph | undefined;
  try {
    graph = buildFlowGraph(unit.ts, root, { mayThrow: (node) => !throwsNothing(unit, node) && !isCaught(unit, node) });
  } catch (error) {
    if (!(error instanceof FlowBudgetError)) throw error;
  }
  graphs.set(root, graph);
  return graph;
}

function graphsOf(unit: Unit): Map<ts.Node, FlowGraph | undefined> {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const graphs = new KeptByName<ts.Node, FlowGraph | undefined>();
  known.set(unit, graphs);
  return graphs;
}

const known = new Kept<Unit, Map<ts.Node, FlowGraph | undefined>>();
