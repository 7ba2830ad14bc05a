import type ts from 'typescript';
import { Kept } from '../kept.js';
import { isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { FlowGraph, FlowNode } from './cfg-types.js';
import { componentsOf } from './flow-components.js';
import type { EnvKey } from './path-env.js';

/**
 * How long something that a path has learned can still be asked for from a node on. What cannot is forgotten: paths that differ in it alone are one, so that a row of tests that have
 * nothing to do with each other makes a row of worlds and not all their combinations.
 */
export interface LiveFacts {
  /** The last place that can ask for a fact; infinite for one that nobody asks for. Places are numbered from the end: at a lower one it is dead. */
  lastUse(key: EnvKey): number;
  placeOf(at: FlowNode): number;
}

const known = new Kept<FlowGraph, LiveFacts>();

/** The facts of a graph by the last place that can ask for them. Says yes too often rather than too seldom: it goes by the order of the places, not by the paths between them. */
export function liveFacts(unit: Unit, graph: FlowGraph): LiveFacts {
  const held = known.get(graph);
  if (held !== undefined) return held;
  const made = createLiveFacts(unit, graph);
  known.set(graph, made);
  return made;
}

function createLiveFacts(unit: Unit, graph: FlowGraph): LiveFacts {
  const { ts } = unit;
  const components = componentsOf(graph);
  /** By expression that is evaluated, and by name in it: the last component that does so. Components are numbered from the end. */
  const evaluated = new Map<ts.Node, number>();
  const named = new Map<string, number>();
  const conditions = new Map<ts.Node, number>();
  for (const node of graph.nodes) for (const e of evaluatedAt(node)) note(e, components[node.id] ?? 0);
  return { lastUse, placeOf: (at) => components[at.id] ?? 0 };

  function evaluatedAt({ kind, node, edges }: FlowNode): readonly ts.Node[] {
    const switched = edges.flatMap((e) => [e.switchOn ?? [], e.caseOf ?? []].flat());
    return node !== undefined && (kind === 'test' || kind === 'assign' || kind === 'return') ? [node, ...switched] : switched;
  }

  function note(e: ts.Node, component: number): void {
    // A loop that asks for the next item evaluates nothing of its own.
    if (ts.isIterationStatement(e, false)) return;
    if ((evaluated.get(e) ?? Infinity) <= component) return;
    evaluated.set(e, component);
    noteNames(e, component);
  }

  function noteNames(node: ts.Node, component: number): void {
    if (ts.isIdentifier(node)) named.set(node.text, Math.min(named.get(node.text) ?? Infinity, component));
    // No path looks into a function that is made on it.
    else if (!isFunctionWithBody(unit, node) && !ts.isClassLike(node)) ts.forEachChild(node, (child) => { noteNames(child, component); });
  }

  function lastUse(key: EnvKey): number {
    if (typeof key === 'string') return named.get(key.slice(key.lastIndexOf('.') + 1)) ?? Infinity;
    return 'name' in key && 'writes' in key ? named.get(key.name) ?? Infinity : useOfCondition(key);
  }

  function useOfCondition(condition: ts.Node): number {
    const held = conditions.get(condition);
    if (held !== undefined) return held;
    let last = Infinity;
    for (let n = condition; n !== graph.root && n.parent; n = n.parent) last = Math.min(last, evaluated.get(n) ?? Infinity);
    conditions.set(condition, last);
    return last;
  }
}
