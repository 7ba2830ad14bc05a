import type ts from 'typescript';
import { simulate } from '../flow/simulate.js';
import { graphOf } from '../functions/function-graph.js';
import { lockOperations } from '../functions/lock-operations.js';
import { lockNamer } from '../functions/names-lock.js';
import type { AcquireOperation, ReleaseOperation } from '../operations/operation.js';
import { enclosingFunction, followed, isFunctionWithBody } from '../syntax/expression.js';
import { calleeOf } from '../syntax/declared-type.js';
import type { Unit } from '../syntax/unit.js';

/** The code that runs while one lock is held. */
export interface HeldSection {
  readonly unit: Unit;
  readonly fn: ts.Node;
  /** The section is a function that is handed over: what it returns is awaited. */
  readonly isCallback: boolean;
  counts(node: ts.Node): boolean;
}

/** The section of an acquire; undefined where there are too many paths, or where the function that runs under the lock cannot be read. */
export function heldSection(unit: Unit, acquire: AcquireOperation, releases: readonly ReleaseOperation[]): HeldSection | undefined {
  if (acquire.scope === 'callback') return callbackSection(unit, acquire);
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  const graph = graphOf(unit, fn);
  if (graph === undefined) return undefined;
  const freed = releases.filter((r) => enclosingFunction(unit, r.node) === fn);
  const calls = new Set<ts.Node>(lockOperations(unit).map((o) => o.node));
  const namesLock = lockNamer(unit, [acquire]);
  const worlds = simulate(unit, graph, {
    acquires: new Map([[acquire.node, acquire.result]]),
    releases: new Set<ts.Node>(freed.map((r) => r.node)),
    escapes: (n) => ts.isCallExpression(n) && !calls.has(n) && n.arguments.some((a) => !ts.isSpreadElement(a) && namesLock(a)),
    recalls: () => false,
  });
  if (worlds === undefined) return undefined;
  const held = new Set(worlds.filter((w) => w.hold === 'held' && w.site === acquire.node).map((w) => w.at.id));
  // Where nobody knows what a granted acquire answers, the way of the loser looks like the holder's: only what a `finally` frees is surely held.
  const isUnclear = acquire.result.won.some((v) => v.kind === 'unknown');
  const kept = isUnclear ? freed.flatMap((r) => tryAround(r.node, fn) ?? []) : undefined;
  return {
    unit, fn, isCallback: false,
    counts: (node) => graph.idsOf(node).some((id) => held.has(id)) && (kept === undefined || kept.some((block) => node.pos >= block.pos && node.end <= block.end)),
  };

  function tryAround(node: ts.Node, root: ts.Node): ts.Node | undefined {
    for (let n = node; n !== root && n.parent; n = n.parent) if (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n) return n.parent.tryBlock;
    return undefined;
  }
}

function callbackSection(unit: Unit, acquire: AcquireOperation): HeldSection | undefined {
  const { ts } = unit;
  const body = acquire.body && followed(unit, acquire.body);
  if (body === undefined) return undefined;
  if (ts.isArrowFunction(body) || ts.isFunctionExpression(body)) return { unit, fn: body, isCallback: true, counts: () => true };
  const binding = ts.isIdentifier(body) ? unit.scopes.resolve(body) : undefined;
  const declared = binding?.declaration;
  return declared !== undefined && isFunctionWithBody(unit, declared) ? { unit, fn: declared, isCallback: true, counts: () => true } : undefined;
}

/** The function that a call under a wrapper runs in, for the words it says of renewal. */
export function calledBody(unit: Unit, call: ts.Node): { readonly unit: Unit; readonly fn: ts.FunctionLikeDeclaration } | undefined {
  if (!unit.ts.isCallExpression(call)) return undefined;
  const callee = calleeOf(unit, call);
  return callee?.body === undefined ? undefined : { unit: callee.signature.unit, fn: callee.body };
}

