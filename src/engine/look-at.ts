import type ts from 'typescript';
import { flowGraphToDot } from './flow/cfg-dot.js';
import type { FlowGraph } from './flow/cfg-types.js';
import { callersOf } from './functions/callers.js';
import { graphOf } from './functions/function-graph.js';
import { lockOperations } from './functions/lock-operations.js';
import { holdsAt } from './functions/locks-held.js';
import type { LockEvidence } from './operations/operation.js';
import { NO_PROJECT, type Project } from './project.js';
import type { Place } from './place.js';
import { enclosingFunction, functionName } from './syntax/expression.js';
import { showTerm } from './syntax/term.js';
import type { Ts } from './syntax/typescript.js';
import { createUnits, type Unit } from './syntax/unit.js';

/** Where a lock of the function stands when a line is reached. `some`: held on some paths only. `unknown`: too many paths to tell. */
export type LineHold = 'held' | 'some' | 'not-held' | 'unreached' | 'unknown';

/** A lock operation as the engine read it. */
export interface OperationView { readonly kind: string; readonly api: string; readonly key: string; readonly evidence: LockEvidence; readonly place: Place }

/** What the engine knows of one line, beside the outcomes of its sites: enough for a person to see why it was judged as it was. */
export interface PlaceView {
  /** The enclosing function, `Class.method` or `<module>`. */
  readonly fn: { readonly name: string; readonly place: Place };
  /** The lock operations that begin on the line, with what says that they are some. */
  readonly operations: readonly OperationView[];
  /** The locks that the function takes, and where each stands when the line is reached. */
  readonly locks: readonly { readonly key: string; readonly api: string; readonly place: Place; readonly hold: LineHold }[];
  /** The calls of the function in its file. `othersPossible`: it is exported or handed on, so that there may be more. */
  readonly callers: { readonly calls: readonly { readonly name: string; readonly place: Place }[]; readonly othersPossible: boolean };
  /** The flow graph of the function in Graphviz's language; undefined when it is too large to be built. */
  readonly dot: string | undefined;
}

/**
 * Looks at one line of a file.
 *
 * @param line Counted from 1.
 * @returns undefined for a line behind the end of the file.
 */
export function lookAt(file: ts.SourceFile, line: number, options: { readonly ts: Ts; readonly project?: Project }): PlaceView | undefined {
  const unit = createUnits(options.ts, options.project ?? NO_PROJECT).of(file);
  const start = file.getLineStarts()[line - 1];
  if (start === undefined || line < 1) return undefined;
  const node = firstNodeOf(unit, start, file.getLineStarts()[line] ?? file.end);
  const fn = enclosingFunction(unit, node);
  const operations = lockOperations(unit);
  const graph = graphOf(unit, fn);
  const evaluated = (graph && firstEvaluated(unit, graph, node)) ?? node;
  return {
    fn: { name: functionName(unit, fn), place: unit.placeOf(fn) },
    operations: operations.filter((o) => unit.placeOf(o.node).line === line)
      .map((o) => ({ kind: o.kind, api: o.api, key: showTerm(o.key), evidence: o.evidence, place: unit.placeOf(o.node) })),
    locks: operations.flatMap((o) => (o.kind === 'acquire' && enclosingFunction(unit, o.node) === fn
      ? [{ key: showTerm(o.key), api: o.api, place: unit.placeOf(o.node), hold: lineHold(holdsAt(unit, o, evaluated)) }] : [])),
    callers: callersIn(unit, fn),
    dot: graph && flowGraphToDot(graph),
  };
}

/** The first statement, else the first expression, that begins on the line; the whole file for an empty line between functions. */
function firstNodeOf({ ts, file }: Unit, start: number, end: number): ts.Node {
  let found: ts.Node = file;
  let around: ts.Node = file;
  const visit = (node: ts.Node): void => {
    const from = node.getStart(file);
    if (from >= start && from < end) {
      if (found === file) found = node;
      return;
    }
    if (node.pos >= end || node.end <= start) return;
    around = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return found === file ? around : found;
}

/** A statement has no place in the graph: its first expression has. */
function firstEvaluated(unit: Unit, graph: FlowGraph, node: ts.Node): ts.Node | undefined {
  if (graph.idsOf(node).length > 0) return node;
  return unit.ts.forEachChild(node, (child) => firstEvaluated(unit, graph, child));
}

function lineHold(holds: ReturnType<typeof holdsAt>): LineHold {
  if (holds === undefined) return 'unknown';
  if (holds.size === 0) return 'unreached';
  if (!holds.has('held')) return 'not-held';
  return holds.size === 1 ? 'held' : 'some';
}

function callersIn(unit: Unit, fn: ReturnType<typeof enclosingFunction>): PlaceView['callers'] {
  if (unit.ts.isSourceFile(fn)) return { calls: [], othersPossible: true };
  const { calls, exported, passedOn } = callersOf(unit, fn);
  return {
    calls: calls.map((call) => ({ name: functionName(unit, enclosingFunction(unit, call)), place: unit.placeOf(call) })),
    othersPossible: exported || passedOn,
  };
}
