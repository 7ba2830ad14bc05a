import type ts from 'typescript';
import { calledFunction } from '../functions/called-function.js';
import type { ReleaseOperation } from '../operations/operation.js';
import type { Place, WitnessStep } from '../place.js';
import { isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/**
 * What a release in a `finally` block does to the result or error of the section before it. `replaces`: the code itself throws or returns there. `rejects`: nothing catches
 * what the release throws. `keeps`: its failure is caught, or thrown only where the section has not failed.
 */
export type FinallyRelease =
  | { readonly kind: 'replaces'; readonly by: 'throw' | 'return'; readonly always: boolean; readonly at: Place; readonly witness: readonly WitnessStep[] }
  | { readonly kind: 'rejects'; readonly throwsByItself: boolean }
  | { readonly kind: 'keeps' };

/** Undefined for a release that stands in no `finally`, or whose promise nobody waits for. */
export function finallyRelease(unit: Unit, release: ReleaseOperation): FinallyRelease | undefined {
  const { ts } = unit;
  const section = finallyAround(unit, release.node);
  if (section?.finallyBlock === undefined) return undefined;
  const block = section.finallyBlock;
  const handler = handlerOf();
  const jump = jumps(handler ?? block).find((j) => !heedsSection(j)) ?? (handler === undefined ? undefined : jumps(block).find((j) => j.pos > release.node.end && ts.isThrowStatement(j) && !heedsSection(j)));
  if (jump !== undefined) return replacing(jump);
  if (handler !== undefined || isSettled()) return { kind: 'keeps' };
  if (jumps(block).some((j) => ts.isThrowStatement(j))) return { kind: 'keeps' };
  return ts.isAwaitExpression(wholeCall().parent) || isAwaitedBlock() ? { kind: 'rejects', throwsByItself: hasThrow() } : undefined;

  function replacing(jump: ts.Node): FinallyRelease {
    const by = ts.isThrowStatement(jump) ? 'throw' : 'return';
    const at = unit.placeOf(jump);
    const note = by === 'throw' ? 'throws in place of what the section returned or threw' : 'returns in place of what the section returned or threw';
    return { kind: 'replaces', by, always: isUnconditional(jump), at, witness: [{ place: unit.placeOf(release.node), role: 'release', note: 'gives the lock back after the section' }, { place: at, role: 'exit', note }] };
  }

  /** The catch clause or `.catch` handler that gets the release's own failure. */
  function handlerOf(): ts.Node | undefined {
    for (let n: ts.Node = release.node; n !== block; n = n.parent) {
      if (ts.isTryStatement(n.parent) && n.parent.tryBlock === n && n.parent.catchClause !== undefined) return n.parent.catchClause;
    }
    for (let e: ts.Node = release.node; ts.isPropertyAccessExpression(e.parent) && ts.isCallExpression(e.parent.parent); e = e.parent.parent) {
      if (e.parent.name.text === 'catch') return e.parent.parent.arguments[0];
    }
    return undefined;
  }

  /** `throw` and `return` statements of a part, without inner functions; a handler that is a function is read itself. */
  function jumps(part: ts.Node): ts.Node[] {
    const found: ts.Node[] = [];
    const visit = (n: ts.Node): void => {
      if (isFunctionWithBody(unit, n) && n !== part) return;
      if (ts.isThrowStatement(n) && !isCaughtWithin(n)) found.push(n);
      if (ts.isReturnStatement(n) && !isFunctionWithBody(unit, part)) found.push(n);
      ts.forEachChild(n, visit);
    };
    visit(part);
    // Before the release it is none of the release's doing.
    return found.filter((j) => part !== block || j.end > release.node.end);
  }

  function isCaughtWithin(jump: ts.Node): boolean {
    for (let n = jump; n !== block && n.parent; n = n.parent) if (ts.isTryStatement(n.parent) && n.parent.tryBlock === n && n.parent.catchClause !== undefined) return true;
    return false;
  }

  /** It asks first how the section went, or carries the section's error along. */
  function heedsSection(jump: ts.Node): boolean {
    if (toldBySection(jump)) return true;
    for (let n = jump; n !== block && n.parent; n = n.parent) if (ts.isIfStatement(n.parent) && n.parent.expression !== n && toldBySection(n.parent.expression)) return true;
    return false;
  }

  /** Names that the section or its catch clause assigns. */
  function toldBySection(node: ts.Node): boolean {
    if (ts.isIdentifier(node)) return unit.scopes.resolve(node)?.writes.some((w) => within(w, section?.tryBlock) || within(w, section?.catchClause)) === true;
    return ts.forEachChild(node, (child) => toldBySection(child) || undefined) === true;
  }

  function isUnconditional(jump: ts.Node): boolean {
    for (let n = jump; n !== block && n.parent; n = n.parent) if (ts.isIfStatement(n.parent) || ts.isSwitchStatement(n.parent) || ts.isConditionalExpression(n.parent)) return false;
    return true;
  }

  /** `Promise.allSettled([lock.release()])` */
  function isSettled(): boolean {
    for (let n: ts.Node = release.node; n !== block; n = n.parent) if (ts.isCallExpression(n) && n.expression.getText(unit.file) === 'Promise.allSettled') return true;
    return false;
  }

  function wholeCall(): ts.Node {
    let e: ts.Node = release.node;
    while (ts.isParenthesizedExpression(e.parent) || (ts.isPropertyAccessExpression(e.parent) && ts.isCallExpression(e.parent.parent))) e = ts.isParenthesizedExpression(e.parent) ? e.parent : e.parent.parent;
    return e;
  }

  /** `await Promise.all([a.release(), b.release()])`, `return release()`. */
  function isAwaitedBlock(): boolean {
    for (let n: ts.Node = release.node; n !== block; n = n.parent) if (ts.isAwaitExpression(n)) return true;
    return false;
  }

  /** A release of the house that throws by its own words, and not only what it calls. */
  function hasThrow(): boolean {
    const called = ts.isCallExpression(release.node) ? calledFunction(unit, release.node) : undefined;
    if (called?.fn.body === undefined) return false;
    let found = false;
    const visit = (n: ts.Node): void => {
      if (isFunctionWithBody(unit, n) || found) return;
      if (ts.isThrowStatement(n) && !within(n, tryAround(n, called.fn)?.tryBlock)) found = true;
      ts.forEachChild(n, visit);
    };
    visit(called.fn.body);
    return found;
  }

  function tryAround(node: ts.Node, fn: ts.Node): ts.TryStatement | undefined {
    for (let n = node; n !== fn; n = n.parent) if (ts.isTryStatement(n) && n.catchClause !== undefined) return n;
    return undefined;
  }
}

/** The innermost try statement, within its function, in whose `finally` block a node stands. */
function finallyAround(unit: Unit, node: ts.Node): ts.TryStatement | undefined {
  const { ts } = unit;
  for (let n = node; n.parent && !isFunctionWithBody(unit, n); n = n.parent) {
    if (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n) return n.parent;
  }
  return undefined;
}

function within(node: ts.Node, outer: ts.Node | undefined): boolean {
  return outer !== undefined && node.pos >= outer.pos && node.end <= outer.end;
}
