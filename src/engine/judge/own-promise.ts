import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { promiseFate, type PromiseFate } from '../flow/promise-fate.js';
import { givesPromise } from '../flow/gives-promise.js';
import { calledFunction } from '../functions/called-function.js';
import { graphOf } from '../functions/function-graph.js';
import type { Operation } from '../operations/operation.js';
import { bare, followed } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** What becomes of the promise of a lock call. `no-promise`: it answers at once, or by a callback. `safe`: dropped, and cannot fail. `unknown`: nothing tells whether it gives one. */
export type OwnPromise = PromiseFate | { readonly kind: 'no-promise' | 'safe' | 'unknown' };

/** Reads what the code does with the promise of one lock call. */
export function ownPromise(unit: Unit, operation: Operation): OwnPromise {
  const { ts } = unit;
  const { node } = operation;
  const fate = promiseFate(unit, node);
  if (fate.kind === 'awaited' || fate.kind === 'handled') return fate;
  const gives = promiseOf();
  if (gives !== true) return { kind: gives === false ? 'no-promise' : 'unknown' };
  return fate.kind === 'dropped' && cannotReject() ? { kind: 'safe' } : fate;

  function promiseOf(): boolean | undefined {
    if (ts.isTaggedTemplateExpression(node)) return true;
    if (node.arguments.some(isCallback) && operation.kind !== 'acquire') return false;
    if (isQueued(node) || (operation.kind === 'release' && operation.link === 'connection' && /^(?:release|destroy)$/.test(operation.api))) return false;
    const given = givesPromise(unit, node);
    if (given === 'yes' || given === 'no') return given === 'yes';
    if (operation.evidence === 'model') return !isSyncDriver(unit) && !(operation.kind === 'acquire' && operation.scope !== 'callback' && node.arguments.some(isCallback));
    return undefined;
  }

  function isCallback(argument: ts.Expression): boolean {
    const e = bare(unit, argument);
    return ts.isArrowFunction(e) || ts.isFunctionExpression(e);
  }

  /** A command of a pipeline waits for its `exec`. */
  function isQueued(call: ts.CallExpression): boolean {
    const callee = bare(unit, call.expression);
    if (!ts.isPropertyAccessExpression(callee)) return false;
    const on = followed(unit, callee.expression);
    return ts.isCallExpression(on) ? /^(?:pipeline|multi|batch)$/.test(calledName(unit, on)) || isQueued(on) : ts.isIdentifier(on) && /^(?:pipe(?:line)?|multi|batch|tx)$/i.test(on.text);
  }

  /** The body is in sight, and no way through it throws. */
  function cannotReject(): boolean {
    const called = ts.isCallExpression(node) ? calledFunction(unit, node) : undefined;
    const graph = called && graphOf(called.unit, called.fn);
    return graph !== undefined && graph.nodes.every((n) => n.edges.every((e) => e.to !== graph.throwExit));
  }
}

/** better-sqlite3 and its kind answer on the spot. */
function isSyncDriver(unit: Unit): boolean {
  return /['"](?:better-sqlite3|node:sqlite|bun:sqlite|sync-\w+)['"]/.test(unit.file.text);
}
