import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { lockOperations } from '../functions/lock-operations.js';
import { hasConstantText } from '../operations/lock-keys.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { calledBody } from './held-section.js';
import { madeLease } from './made-lease.js';

/**
 * What keeps a lease alive. `library`: whoever runs the section renews by itself. `seen`: a call that renews it again and again. `perhaps`: something that is called
 * like a renewal, or one call of it.
 */
export interface Renewed {
  readonly kind: 'library' | 'seen' | 'perhaps';
  readonly unit: Unit;
  readonly node: ts.Node;
}

/** Libraries that renew while their section runs. */
const RENEWING = new Set(['redlock.using']);

export function renewedBy(unit: Unit, acquire: AcquireOperation, onSameKey: readonly Operation[]): Renewed | undefined {
  const { node } = acquire;
  if (acquire.renews === true || RENEWING.has(acquire.api) || madeLease(unit, acquire)?.renews === true) return { kind: 'library', unit, node };
  const renewals = onSameKey.filter((o) => o.kind === 'extend' || (o.kind === 'overwrite' && o.ttl.kind !== 'none'));
  const fn = enclosingFunction(unit, node);
  const around = renewals.filter((o) => o.node.pos >= fn.pos && o.node.end <= fn.end && o.node.pos > node.pos && !isFirstExpiry(acquire, o));
  const again = around.find((o) => isAgain(unit, o.node) || runsItself(unit, o.node));
  if (again !== undefined) return { kind: 'seen', unit, node: again.node };
  const inWrapper = acquire.evidence === 'body' ? renewalOfWrapper(unit, node) : undefined;
  if (inWrapper !== undefined) return inWrapper;
  // A bare parameter as the key connects the methods of one class only.
  const some = around[0] ?? renewals.find((o) => !isFirstExpiry(acquire, o) && (hasConstantText(acquire.key) || (classOf(unit, o.node) !== undefined && classOf(unit, o.node) === classOf(unit, node))));
  if (some !== undefined) return { kind: 'perhaps', unit, node: some.node };
  const spoken = namedRenewal(unit, fn);
  if (spoken !== undefined) return { kind: 'perhaps', unit, node: spoken };
  // What runs the section may renew, and cannot be read.
  return acquire.scope === 'callback' && acquire.renews !== false && (acquire.evidence === 'name' || acquire.evidence === 'declared') ? { kind: 'perhaps', unit, node } : undefined;
}

function classOf(unit: Unit, node: ts.Node): ts.Node | undefined {
  for (let n: ts.Node | undefined = node.parent; n; n = n.parent) if (unit.ts.isClassLike(n)) return n;
  return undefined;
}

/** EXPIRE right after SETNX is the first TTL. */
function isFirstExpiry(acquire: AcquireOperation, o: Operation): boolean {
  return acquire.bare && o.kind === 'extend';
}

/** In a loop, or in a function that a timer calls. */
export function isAgain(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  for (let n = node; n.parent && !ts.isSourceFile(n.parent); n = n.parent) {
    if (ts.isIterationStatement(n.parent, false) && n.parent.statement === n) return true;
    if (ts.isFunctionLike(n) && ts.isCallExpression(n.parent) && TIMER.test(calledName(unit, n.parent))) return true;
  }
  return false;
}

const TIMER = /^(?:setInterval|setTimeout|every|interval|schedule\w*|repeat\w*)$/;

/** A helper that is called once and goes on renewing by itself. */
export function runsItself(unit: Unit, call: ts.Node): boolean {
  const body = calledBody(unit, call);
  return body !== undefined && /\bset(?:Interval|Timeout)\b|\bwhile\s*\(|\bfor\s*\(/.test(body.fn.getText(body.unit.file));
}

/** The wrapper that takes the lock keeps it alive too. */
function renewalOfWrapper(unit: Unit, call: ts.Node): Renewed | undefined {
  const called = calledBody(unit, call);
  if (called === undefined) return undefined;
  const inside = lockOperations(called.unit).filter((o) => o.kind === 'extend' && o.node.pos >= called.fn.pos && o.node.end <= called.fn.end);
  const again = inside.find((o) => isAgain(called.unit, o.node) || runsItself(called.unit, o.node));
  if (again !== undefined) return { kind: 'seen', unit: called.unit, node: again.node };
  const library = lockOperations(called.unit).find((o) => (RENEWING.has(o.api) || (o.kind === 'acquire' && o.renews === true)) && o.node.pos >= called.fn.pos && o.node.end <= called.fn.end);
  if (library !== undefined) return { kind: 'library', unit: called.unit, node: library.node };
  const spoken = inside[0]?.node ?? namedRenewal(called.unit, called.fn);
  return spoken && { kind: 'perhaps', unit: called.unit, node: spoken };
}

/** A call or timer in a function whose name speaks of renewal. */
function namedRenewal(unit: Unit, fn: ts.Node): ts.Node | undefined {
  const { ts } = unit;
  let found: ts.Node | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined) return;
    const name = ts.isCallExpression(n) || ts.isNewExpression(n) ? calledName(unit, n) : '';
    if (name === 'setInterval' || RENEWAL.test(name)) found = n;
    else ts.forEachChild(n, visit);
  };
  ts.forEachChild(fn, visit);
  return found;
}

const RENEWAL = /renew|prolong|heart_?beat|keep_?alive|watch_?dog|^(?:auto)?extend\w*|extend(?:Lock|Lease)|refresh\w*(?:Lock|Lease|Ttl|TTL)|touch(?:Lock|Lease|Job)|^(?:start)?beat$/i;
