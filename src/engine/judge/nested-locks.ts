import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import { locksHeldAround } from '../functions/locks-held.js';
import { hasConstantText, sameKey } from '../operations/lock-keys.js';
import type { AcquireOperation } from '../operations/operation.js';
import type { Place, WitnessStep } from '../place.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction } from '../syntax/expression.js';
import { quotedCode } from '../syntax/shown-code.js';
import { showTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { callsOf, innerAcquires } from './inner-acquires.js';
import { takenInCallersOrder } from './lock-order.js';
import { Kept } from '../kept.js';

/** A lock that is taken while another one is held: `inner` at `node`, under `outer`. */
interface Nesting {
  readonly outer: AcquireOperation;
  readonly inner: AcquireOperation;
  /** In the terms of the function that holds the outer lock. */
  readonly innerKey: Term;
  readonly receiver: Term | undefined;
  /** The inner acquire, or the call that leads to it. */
  readonly node: ts.Node;
  /** Where the inner lock is taken. */
  readonly takenAt: Place;
}

/** What is wrong with locks taken under each other. */
export interface NestedLock {
  /** `itself`: the lock is taken again. `crossed`: another function takes the two the other way round. `swapped`: the caller's arguments decide the order. */
  readonly kind: 'itself' | 'crossed' | 'swapped';
  readonly at: Place;
  readonly outerLine: number;
  readonly outerKey: string;
  readonly innerKey: string;
  /** `crossed`: where the other function takes the second of the two. */
  readonly otherLine: number;
  /** The inner acquire comes back only with the lock, or throws: two that wait for each other hang. */
  readonly waits: boolean;
  readonly witness: readonly WitnessStep[];
}

/**
 * The fault that one acquire is the inner part of, or, where a called function takes the inner lock, the outer part. `fine`: it is held together with others, and nothing is
 * wrong with that. `counted`: the same lock is asked for again, of an API that may let its holder in. Undefined: no other lock is in sight.
 */
export function nestedLock(unit: Unit, acquire: AcquireOperation): NestedLock | 'fine' | 'counted' | undefined {
  const all = nestingsOf(unit);
  const own = all.filter((n) => (n.node === n.inner.node ? n.inner === acquire : n.outer === acquire));
  for (const n of own) if (isSameLock(n) && !mayCount(n)) return { ...described(unit, n), kind: 'itself', otherLine: 0 };
  for (const n of own) {
    const other = all.find((m) => isCrossed(unit, n, m));
    if (other !== undefined) return { ...described(unit, n), kind: 'crossed', otherLine: unit.placeOf(other.node).line };
    if (takenInCallersOrder(unit, single(n.outer.key), single(n.innerKey), n.node)) return { ...described(unit, n), kind: 'swapped', otherLine: 0 };
  }
  if (own.some(isSameLock)) return 'counted';
  return own.length === 0 ? undefined : 'fine';
}

function described(unit: Unit, { outer, inner, innerKey, node, takenAt }: Nesting): Omit<NestedLock, 'kind' | 'otherLine'> {
  const at = unit.placeOf(node);
  const outerAt = unit.placeOf(outer.node);
  const isFar = takenAt.file !== at.file || takenAt.line !== at.line;
  return {
    at, outerLine: outerAt.line, outerKey: quotedCode(showTerm(single(outer.key)), 36), innerKey: quotedCode(showTerm(single(innerKey)), 36), waits: inner.result.lost.length === 0,
    witness: [
      { place: outerAt, role: 'acquire', note: 'takes the first lock' },
      ...(isFar ? [{ place: at, role: 'call' as const, note: 'is called while the lock is held' }, { place: takenAt, role: 'acquire' as const, note: 'takes the second lock' }]
        : [{ place: at, role: 'acquire' as const, note: 'takes the second lock while the first is held' }]),
    ],
  };
}

const known = new Kept<Unit, readonly Nesting[]>();

/** All pairs of locks of a file that are held together, in the order of the text. */
function nestingsOf(unit: Unit): readonly Nesting[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = findNestings(unit);
  known.set(unit, found);
  return found;
}

function findNestings(unit: Unit): Nesting[] {
  const { ts } = unit;
  const operations = lockOperations(unit);
  const acquires = operations.filter((o): o is AcquireOperation => o.kind === 'acquire' && o.scope !== 'transaction');
  const found: Nesting[] = [];
  for (const inner of acquires) {
    if (acquires.length < 2) break;
    for (const { operation: outer } of locksHeldAround(unit, inner.node)) {
      if (outer !== inner && outer.node !== inner.node) found.push({ outer, inner, innerKey: inner.key, receiver: inner.receiver, node: inner.node, takenAt: unit.placeOf(inner.node) });
    }
  }
  for (const call of new Set(acquires.flatMap((a) => callsBehind(a)))) {
    if (operations.some((o) => o.node === call)) continue;
    const inner = innerAcquires(unit, call);
    if (inner.length === 0) continue;
    for (const { operation: outer } of locksHeldAround(unit, call)) {
      for (const i of inner) found.push({ outer, inner: i.operation, innerKey: i.key, receiver: i.receiver, node: call, takenAt: i.at });
    }
  }
  return found.sort((a, b) => a.node.pos - b.node.pos);

  /** The calls that may run under a lock: those after it, or those of its callback. */
  function callsBehind(a: AcquireOperation): ts.CallExpression[] {
    if (a.scope === 'callback') {
      const body = a.body;
      return body !== undefined && (ts.isArrowFunction(body) || ts.isFunctionExpression(body)) ? callsOf(unit, body) : [];
    }
    return callsOf(unit, enclosingFunction(unit, a.node)).filter((c) => c.pos > a.node.end);
  }
}

/** Sessions count their locks, and a script may let its owner in again. */
const COUNTED = /^(?:pg_|GET_LOCK|redis script|sp_getapplock)/;

function mayCount({ outer, inner }: Nesting): boolean {
  return COUNTED.test(inner.api) || COUNTED.test(outer.api) || inner.evidence === 'name' || outer.evidence === 'name';
}

function isSameLock({ outer, inner, innerKey, receiver }: Nesting): boolean {
  if (!keysOf(outer.key).some((a) => keysOf(innerKey).some((b) => sameTerm(a, b) || isMadeAlike(a, b)))) return false;
  if (outer.receiver !== undefined && receiver !== undefined && sameTerm(outer.receiver, receiver)) return true;
  return isNamed(single(innerKey)) && spaceOf(outer) === spaceOf(inner);
}

/** Each call makes a lock object of its own, and all of them are one lock of the store. */
function isMadeAlike(a: Term, b: Term): boolean {
  if (a.kind !== 'call' || b.kind !== 'call' || a.callee !== b.callee || !/^new \w*(?:Mutex|Lock)$/.test(a.callee)) return false;
  return a.args.length === b.args.length && a.args.every((t, i) => b.args[i] !== undefined && sameTerm(t, b.args[i]));
}

/** A key with text of its own, or a lock that is made of one: `new Mutex(redis, 'ledger')`. */
function isNamed(key: Term): boolean {
  return hasConstantText(key) || (key.kind === 'call' && key.args.some((a) => a.kind !== 'object' && hasConstantText(a)));
}

function keysOf(key: Term): readonly Term[] {
  return key.kind === 'list' ? key.items : [key];
}

/** Keys of a library, of a table and of plain Redis never meet. */
function spaceOf({ api, evidence }: AcquireOperation): string {
  if (evidence !== 'model') return 'house';
  return /^redlock/.test(api) ? 'redlock' : /^(?:SET|SETNX)/.test(api) ? 'redis' : api;
}

/** The second of two functions that take the same two locks in opposite orders. */
function isCrossed(unit: Unit, n: Nesting, m: Nesting): boolean {
  if (m === n || m.node.pos >= n.node.pos || enclosingFunction(unit, n.outer.node) === enclosingFunction(unit, m.outer.node)) return false;
  const [nOuter, nInner, mOuter, mInner] = [single(n.outer.key), single(n.innerKey), single(m.outer.key), single(m.innerKey)];
  if (![nOuter, nInner, mOuter, mInner].every(isTelling) || sameKey(nOuter, nInner)) return false;
  return sameKey(nOuter, mInner) && sameKey(nInner, mOuter);
}

/** A list of one key is the key. */
function single(key: Term): Term {
  return key.kind === 'list' && key.items.length === 1 ? (key.items[0] ?? key) : key;
}

/** A key that is the same lock in all functions that spell it so: it has text of its own, or is a lock object of the module or class. */
function isTelling(key: Term): boolean {
  if (key.kind === 'path') return key.base.kind === 'symbol' && key.base.id === 'this';
  return hasConstantText(key);
}
