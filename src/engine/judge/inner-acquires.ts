import type ts from 'typescript';
import { calledFunction } from '../functions/called-function.js';
import { callTerms } from '../functions/call-terms.js';
import { lockOperations } from '../functions/lock-operations.js';
import type { ReadableFunction } from '../functions/summary.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import type { Place } from '../place.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** A lock that a called function takes, in the terms of its caller. */
export interface InnerAcquire {
  readonly operation: AcquireOperation;
  readonly key: Term;
  readonly receiver: Term | undefined;
  readonly at: Place;
}

/** A call of a call of a call is followed, and no further. */
const LEVELS = 2;

/** The locks that a call takes somewhere inside of it, whether or not it gives them back. A call that is itself an operation is none: it speaks for itself. */
export function innerAcquires(unit: Unit, call: ts.CallExpression, level = LEVELS): readonly InnerAcquire[] {
  const called = calledFunction(unit, call);
  if (called === undefined || !mayTakeLock(called)) return [];
  const terms = callTerms(unit, call, called);
  if (terms === undefined) return [];
  return acquiresOf(called, level).flatMap((inner): InnerAcquire[] => {
    const key = terms.inCaller(inner.key);
    return key === undefined ? [] : [{ ...inner, key, receiver: inner.receiver && terms.inCaller(inner.receiver) }];
  });
}

/** Asked first: it spares reading the operations of a file. */
function mayTakeLock({ unit }: ReadableFunction): boolean {
  return unit.says(/(?<![bc])lock|(?<!re)lease|mutex|semaphore|acquire|claim|exclusive/i);
}

const known = new Kept<ts.Node, readonly InnerAcquire[]>();

function acquiresOf({ unit, fn }: ReadableFunction, level: number): readonly InnerAcquire[] {
  const held = known.get(fn);
  if (held !== undefined) return held;
  // A function that calls itself is read once.
  known.provisionally(fn, []);
  const all = lockOperations(unit);
  const own = all.filter((o): o is AcquireOperation => isAcquire(o) && o.scope !== 'transaction' && enclosingFunction(unit, o.node) === fn);
  const found: InnerAcquire[] = own.map((operation) => ({ operation, key: operation.key, receiver: operation.receiver, at: unit.placeOf(operation.node) }));
  if (level > 0) for (const call of callsOf(unit, fn)) if (!all.some((o) => o.node === call)) found.push(...innerAcquires(unit, call, level - 1));
  known.set(fn, found);
  return found;
}

/** The calls of a function's own body: what stands in inner functions may run later, or never. */
export function callsOf(unit: Unit, fn: ts.Node): ts.CallExpression[] {
  const { ts } = unit;
  const found: ts.CallExpression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n)) found.push(n);
    if (!ts.isFunctionLike(n)) ts.forEachChild(n, visit);
  };
  ts.forEachChild(fn, visit);
  return found;
}

function isAcquire(operation: Operation): operation is AcquireOperation {
  return operation.kind === 'acquire';
}
