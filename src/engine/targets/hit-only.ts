import type ts from 'typescript';
import { simulate } from '../flow/simulate.js';
import { graphOf } from '../functions/function-graph.js';
import type { StateWrite } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** Whether some path leads from a miss of a guarded write to a node of the same function. False where the paths are too many or the answer cannot be told. */
export function isReachedByMiss(unit: Unit, { node, result }: StateWrite, site: ts.Node): boolean {
  const fn = enclosingFunction(unit, node);
  if (fn !== enclosingFunction(unit, site) || result.label === 'unknown' || result.lost.length === 0) return false;
  const graph = graphOf(unit, fn);
  const worlds = graph && simulate(unit, graph, { acquires: new Map([[node, result]]), releases: new Set(), escapes: () => false, recalls: () => false });
  return worlds?.some((w) => w.at.node === site && w.site === node && w.hold === 'lost' && w.env.has(node)) === true;
}
