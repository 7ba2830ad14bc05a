import type ts from 'typescript';
import { cannotThrow, isHarmless } from '../flow/call-words.js';
import { makesResult } from '../flow/made-value.js';
import { simulate, type World } from '../flow/simulate.js';
import { sameKey } from '../operations/lock-keys.js';
import { lockRole, runsUnderLock, speaksOfLocks } from '../operations/lock-words.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { UNKNOWN_FORM } from '../operations/result-form.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction, functionName, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { graphOf } from './function-graph.js';
import { grantOf } from './grant-of.js';
import { lockNamer } from './names-lock.js';
import { NO_GRANT, type AcquireSummary, type CallbackSlot, type Grant, type ReadableFunction } from './summary.js';
import { wrapperForm } from './wrapper-form.js';

/** The lock operations that a function and its inner functions make, and what the calls of wrappers among them give. */
export interface BodyOperations {
  readonly all: readonly Operation[];
  grantAt(node: ts.Node): Grant;
}

/** The lock that a function takes for its caller, or runs a function of its caller under. Undefined for all other functions, and for what cannot be told. */
export function acquireSummary(target: ReadableFunction, body: BodyOperations): AcquireSummary | undefined {
  const { unit, fn } = target;
  const own = body.all.filter((o) => enclosingFunction(unit, o.node) === fn);
  const acquires = own.filter((o): o is AcquireOperation => o.kind === 'acquire');
  const first = acquires[0];
  if (first === undefined || acquires.some((a) => !sameTerm(a.key, first.key))) return undefined;
  if (first.scope === 'callback') return acquires.length === 1 ? scoped(target, first) : undefined;
  if (acquires.some((a) => a.scope !== 'manual')) return undefined;
  const worlds = worldsOf(target, acquires, own);
  if (worlds === undefined) return undefined;

  const exits = worlds.filter((w) => w.at.kind === 'exit');
  const callback = callbackRun(target, worlds);
  if (callback === 'unprotected') return undefined;
  if (callback !== undefined) return exits.some((w) => w.hold === 'released') ? { operation: first, result: UNKNOWN_FORM, grant: NO_GRANT, callback } : undefined;
  if (!exits.some((w) => w.hold === 'held' || w.hold === 'escaped')) return undefined;

  const result = acquires.length === 1 ? wrapperForm(unit, first, worlds) : UNKNOWN_FORM;
  // Work that marks itself as done under a key of its own is no lock for its caller; nor is work that gives the lock back itself and forgets it on one exit.
  if ((result === UNKNOWN_FORM || exits.some((w) => w.hold === 'released')) && !isNamedSo(unit, fn)) return undefined;
  return { operation: first, result, grant: acquires.length === 1 ? grantOf(unit, first, body.grantAt(first.node), body.all, worlds) : NO_GRANT };
}

function isNamedSo(unit: Unit, fn: ts.Node): boolean {
  const whole = functionName(unit, fn);
  const name = whole.slice(whole.lastIndexOf('.') + 1);
  return lockRole(name) === 'acquire' || (speaksOfLocks(name) && !runsUnderLock(name));
}

function worldsOf({ unit, fn }: ReadableFunction, acquires: readonly AcquireOperation[], own: readonly Operation[]): readonly World[] | undefined {
  const { ts } = unit;
  const graph = graphOf(unit, fn);
  if (graph === undefined) return undefined;
  const [first] = acquires;
  const releases = own.filter((o) => o.kind === 'release' && first !== undefined && sameKey(o.key, first.key));
  const namesLock = lockNamer(unit, acquires);
  const calls = new Set<ts.Node>([...acquires, ...releases].map((o) => o.node));
  return simulate(unit, graph, {
    acquires: new Map(acquires.map((a) => [a.node as ts.Node, a.result])),
    releases: new Set(releases.map((o) => o.node)),
    escapes: (node) => ts.isCallExpression(node) && !calls.has(node) && !cannotThrow(unit, node) && !isHarmless(unit, node) && !makesResult(unit, node) && node.arguments.some((a) => !ts.isSpreadElement(a) && namesLock(a)),
    recalls: () => false,
  });
}

/** The parameter that is called while the lock is held, and only then. One that only those who are refused call is told of the contention, and no section. */
function callbackRun(target: ReadableFunction, worlds: readonly World[]): CallbackSlot | 'unprotected' | undefined {
  let slot: CallbackSlot | undefined;
  let outside = false;
  let refusedOnly = true;
  for (const w of worlds) {
    if (w.at.kind !== 'call' || w.at.node === undefined) continue;
    const found = parameterCalled(target, w.at.node);
    if (found === undefined) continue;
    if (w.hold !== 'lost') refusedOnly = false;
    if (w.hold !== 'held' && w.hold !== 'escaped') outside = true;
    else if (slot !== undefined && (slot.index !== found.index || slot.prop !== found.prop)) return 'unprotected';
    else slot = found;
  }
  if (outside && refusedOnly) return undefined;
  return outside ? 'unprotected' : slot;
}

/** A call of a library or wrapper that runs a function under the lock: the function is the parameter, or calls it. */
function scoped(target: ReadableFunction, acquire: AcquireOperation): AcquireSummary | undefined {
  const { unit } = target;
  const { ts } = unit;
  const run = acquire.body && bare(unit, acquire.body);
  if (run === undefined) return undefined;
  let callback = ts.isIdentifier(run) ? slotOf(target, run) : undefined;
  const visit = (n: ts.Node): void => {
    if (callback === undefined && ts.isCallExpression(n)) callback = parameterCalled(target, n);
    if (callback === undefined) ts.forEachChild(n, visit);
  };
  if (ts.isArrowFunction(run) || ts.isFunctionExpression(run)) visit(run.body);
  return callback && { operation: acquire, result: UNKNOWN_FORM, grant: NO_GRANT, callback };
}

function parameterCalled(target: ReadableFunction, call: ts.Node): CallbackSlot | undefined {
  const { unit } = target;
  if (!unit.ts.isCallExpression(call)) return undefined;
  const callee = bare(unit, call.expression);
  return unit.ts.isIdentifier(callee) ? slotOf(target, callee) : undefined;
}

function slotOf({ unit, fn }: ReadableFunction, id: ts.Identifier): CallbackSlot | undefined {
  const { ts } = unit;
  const binding = unit.scopes.resolve(id);
  if (binding?.kind !== 'param' || binding.writes.length > 0) return undefined;
  const index = fn.parameters.findIndex((p) => binding.id.pos >= p.pos && binding.id.end <= p.end);
  const parameter = fn.parameters[index];
  if (parameter === undefined) return undefined;
  if (parameter.name === binding.id) return { index, prop: undefined };
  const element = binding.declaration;
  return ts.isBindingElement(element) && element.parent === parameter.name ? { index, prop: nameText(unit, element.propertyName ?? element.name) } : undefined;
}
