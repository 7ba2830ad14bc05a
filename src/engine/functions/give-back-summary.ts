import type ts from 'typescript';
import { simulate } from '../flow/simulate.js';
import type { ExtendOperation, Operation, ReleaseOperation } from '../operations/operation.js';
import { UNKNOWN_FORM } from '../operations/result-form.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { graphOf } from './function-graph.js';
import type { FunctionSummary, ReadableFunction } from './summary.js';

/** The lock that a function frees, or prolongs, for its caller. A function that takes a lock itself, or that frees several, is none. */
export function giveBackSummary(target: ReadableFunction, all: readonly Operation[]): FunctionSummary | undefined {
  const { unit, fn } = target;
  const here = all.filter((o) => runsIn(unit, fn, o.node));
  if (here.some((o) => o.kind === 'acquire')) return undefined;
  const releases = here.filter((o): o is ReleaseOperation => o.kind === 'release');
  const release = sole(releases);
  if (release !== undefined) return { kind: 'release', operation: release, always: always(target, releases) };
  const extension = releases.length > 0 ? undefined : sole(here.filter((o): o is ExtendOperation => o.kind === 'extend'));
  return extension && { kind: 'extend', operation: extension };
}

/** The operation that stands for all: they speak of one key. */
function sole<Op extends Operation>(some: readonly Op[]): Op | undefined {
  const [first] = some;
  return first !== undefined && some.every((o) => sameTerm(o.key, first.key)) ? first : undefined;
}

/** In the function itself or in a function that it hands to a call: `pool.use((client) => client.del(key))`. */
function runsIn(unit: Unit, fn: ts.Node, node: ts.Node): boolean {
  let inner: ts.Node = enclosingFunction(unit, node);
  while (inner !== fn) {
    const { ts } = unit;
    if (ts.isSourceFile(inner) || !isFunctionWithBody(unit, inner) || !ts.isCallExpression(inner.parent) || inner.parent.expression === inner) return false;
    inner = enclosingFunction(unit, inner);
  }
  return true;
}

/** Whether no path leaves the function without the release. */
function always({ unit, fn }: ReadableFunction, releases: readonly ReleaseOperation[]): boolean {
  if (releases.some((r) => enclosingFunction(unit, r.node) !== fn)) return false;
  const graph = graphOf(unit, fn);
  const worlds = graph && simulate(unit, graph, {
    acquires: new Map(releases.map((r) => [r.node as ts.Node, UNKNOWN_FORM])), releases: new Set(), escapes: () => false, recalls: () => false,
  });
  return worlds !== undefined && worlds.every((w) => w.at.kind !== 'exit' || w.site !== undefined);
}
