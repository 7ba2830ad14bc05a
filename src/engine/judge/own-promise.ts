import type ts from 'typescript';
import { calledName, hasEffect } from '../flow/call-words.js';
import { promiseFate, usesOf, type PromiseFate } from '../flow/promise-fate.js';
import { givesPromise } from '../flow/gives-promise.js';
import { calledFunction } from '../functions/called-function.js';
import { graphOf } from '../functions/function-graph.js';
import type { Operation } from '../operations/operation.js';
import { bare, enclosingFunction, followed, isFunctionWithBody, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** What becomes of the promise of a lock call. `no-promise`: it answers at once, or by a callback. `safe`: dropped, and cannot fail. `unknown`: nothing tells whether it gives one. */
export type OwnPromise = PromiseFate | { readonly kind: 'no-promise' | 'safe' | 'unknown' };

/** Reads what the code does with the promise of one lock call. */
export function ownPromise(unit: Unit, operation: Operation): OwnPromise {
  const { ts } = unit;
  const { node } = operation;
  const fate = promiseFate(unit, node);
  if (fate.kind === 'awaited' && operation.kind === 'acquire' && isAwaitedTooLate(unit, node)) return { kind: 'dropped', voided: false, chained: false };
  if (fate.kind === 'awaited' || fate.kind === 'handled') return fate;
  if (isDoneOnReturn()) return { kind: 'no-promise' };
  const gives = promiseOf();
  if (gives !== true) return { kind: gives === false ? 'no-promise' : 'unknown' };
  return fate.kind === 'dropped' && cannotReject(unit, node) ? { kind: 'safe' } : fate;

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

  /** An async function that never waits, and asks nobody but maps and plain functions: all is done when the call comes back. */
  function isDoneOnReturn(): boolean {
    const called = ts.isCallExpression(node) && operation.kind !== 'acquire' ? calledFunction(unit, node) : undefined;
    return called !== undefined && worksOnSpot(called.unit, called.fn);
  }
}

/** `const asked = acquire()`, and work is waited for before `asked` is. What only reads may go on beside it. */
function isAwaitedTooLate(unit: Unit, node: Operation['node']): boolean {
  const { ts } = unit;
  const whole = wholeValue(unit, node);
  const binding = ts.isVariableDeclaration(whole.parent) && ts.isIdentifier(whole.parent.name) && !ts.isAwaitExpression(whole) ? unit.scopes.resolve(whole.parent.name) : undefined;
  if (binding === undefined) return false;
  const first = Math.min(...usesOf(unit, binding).filter((u) => u.pos > node.end).map((u) => u.pos));
  let works = false;
  const visit = (n: ts.Node): void => {
    if (works || isFunctionWithBody(unit, n)) return;
    if (ts.isAwaitExpression(n) && n.pos >= node.end && n.end <= first && hasEffect(unit, bare(unit, n.expression))) works = true;
    else ts.forEachChild(n, visit);
  };
  ts.forEachChild(enclosingFunction(unit, node), visit);
  return works;
}

/** Calls of calls that are followed. */
const MOST_CALLS = 2;

/** The body is in sight, and no way through it throws: what it calls in turn cannot fail either. */
function cannotReject(unit: Unit, node: ts.Node, depth = MOST_CALLS): boolean {
  const { ts } = unit;
  const called = ts.isCallExpression(node) ? calledFunction(unit, node) : undefined;
  const graph = called && graphOf(called.unit, called.fn);
  if (called === undefined || graph === undefined) return false;
  return graph.nodes.every((n) => n.edges.every((e) => e.to !== graph.throwExit) || (depth > 0 && n.node !== undefined && cannotReject(called.unit, callIn(n.node), depth - 1)));

  function callIn(n: ts.Node): ts.Node {
    return ts.isAwaitExpression(n) ? bare(unit, n.expression) : n;
  }
}

/** No `await`, and every call is one of a class made here (`new`), of a map or set the class declares, or of a plain name. */
function worksOnSpot({ ts, file, scopes }: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  if (fn.body === undefined) return false;
  const waits = (n: ts.Node): boolean => {
    if (ts.isAwaitExpression(n) || (ts.isForOfStatement(n) && n.awaitModifier !== undefined) || (ts.isNewExpression(n) && n.expression.getText(file) === 'Promise')) return true;
    if (ts.isCallExpression(n) && !isPlain(n)) return true;
    return ts.forEachChild(n, (child) => (waits(child) ? true : undefined)) === true;
  };
  return !waits(fn.body);

  function isPlain(call: ts.CallExpression): boolean {
    const callee = call.expression;
    if (ts.isIdentifier(callee)) return /^[A-Z]/.test(callee.text);
    if (!ts.isPropertyAccessExpression(callee)) return false;
    return isCollection(callee.expression) || /^(?:getTime|valueOf|toISOString|now)$/.test(callee.name.text);
  }

  /** `this.store` or `held`, begun as `new Map()`. */
  function isCollection(e: ts.Expression): boolean {
    const named = ts.isIdentifier(e) ? scopes.resolve(e)?.declaration : ts.isPropertyAccessExpression(e) && e.expression.kind === ts.SyntaxKind.ThisKeyword ? propertyNamed(e) : undefined;
    const value = named !== undefined && (ts.isVariableDeclaration(named) || ts.isPropertyDeclaration(named)) ? named.initializer : undefined;
    return value !== undefined && ts.isNewExpression(value) && /^(?:Map|Set|WeakMap|WeakSet)$/.test(value.expression.getText(file));
  }

  function propertyNamed(e: ts.PropertyAccessExpression): ts.PropertyDeclaration | undefined {
    for (let n: ts.Node = e; n.parent; n = n.parent) {
      if (ts.isClassLike(n)) return n.members.find((m): m is ts.PropertyDeclaration => ts.isPropertyDeclaration(m) && m.name.getText(file) === e.name.text);
    }
    return undefined;
  }
}

/** better-sqlite3 and its kind answer on the spot. */
function isSyncDriver(unit: Unit): boolean {
  return unit.says(/['"](?:better-sqlite3|node:sqlite|bun:sqlite|sync-\w+)['"]/);
}
