import type ts from 'typescript';
import { calledName, isHarmless } from '../flow/call-words.js';
import { resultNames } from '../flow/result-names.js';
import { simulate, type World } from '../flow/simulate.js';
import { graphOf } from '../functions/function-graph.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { showValue } from '../operations/value.js';
import { bare, enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import { freshnessOf } from '../syntax/term.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';
import { handedBy } from './handed-on.js';

/** Where a set of locks is left half taken: the statement that gives up, and the path to it where it is a loop. */
export interface PartialAcquire {
  readonly node: ts.Node;
  readonly world: World | undefined;
}

/**
 * Several locks taken by one expression of the code, of which one is refused: those that were taken before are not given back. Said only where nobody else can free them:
 * the owner was made here, or the grant is a handle that this function drops.
 */
export function partialAcquire(unit: Unit, acquire: AcquireOperation, all: readonly Operation[]): PartialAcquire | undefined {
  if (acquire.scope !== 'manual' || acquire.link === 'receiver' || acquire.link === 'connection') return undefined;
  return takenAtOnce(unit, acquire, all) ?? takenInLoop(unit, acquire, all);
}

/** `Promise.all(keys.map((key) => acquire(key)))`: the first refusal rejects the whole, and what the others got is lost. */
function takenAtOnce(unit: Unit, acquire: AcquireOperation, all: readonly Operation[]): PartialAcquire | undefined {
  const { ts } = unit;
  const each = enclosingFunction(unit, acquire.node);
  if (!acquire.result.throwsWhenLost || acquire.result.lost.length > 0 || !ts.isArrowFunction(each) || !isCallbackOf(unit, each, 'map') || !givesGrant(each)) return undefined;
  const owners = isOwnedHere(unit, acquire, enclosingFunction(unit, each));
  const whole = allOf(each.parent);
  if (!owners || whole === undefined || !dependsOn(unit, acquire, each) || isGuarded(whole)) return undefined;
  return { node: acquire.node, world: undefined };

  /** The arrow is the acquire: what does more may note what it took. */
  function givesGrant(arrow: ts.ArrowFunction): boolean {
    const body = ts.isBlock(arrow.body) ? arrow.body.statements : undefined;
    const [only] = body ?? [];
    const value = body === undefined ? arrow.body : body.length === 1 && only !== undefined && ts.isReturnStatement(only) ? only.expression : undefined;
    if (value === undefined || ts.isBlock(value)) return false;
    let e = bare(unit, value);
    while (ts.isAwaitExpression(e)) e = bare(unit, e.expression);
    return e === acquire.node;
  }

  /** `Promise.all(..)` right around the list, awaited or returned. */
  function allOf(list: ts.Node): ts.CallExpression | undefined {
    const call = list.parent;
    if (!ts.isCallExpression(call) || call.arguments[0] !== list || call.expression.getText(unit.file) !== 'Promise.all') return undefined;
    const p = call.parent;
    return ts.isAwaitExpression(p) || ts.isReturnStatement(p) || ts.isArrowFunction(p) ? call : undefined;
  }

  /** Something runs after the rejection, in the function or around it. */
  function isGuarded(call: ts.Node): boolean {
    return isInTry(unit, call) || all.some((o) => o.kind === 'release' && isInTry(unit, o.node) && isSameFunction(o.node, call));
  }

  function isSameFunction(a: ts.Node, b: ts.Node): boolean {
    return enclosingFunction(unit, a) === enclosingFunction(unit, b) && a.pos < b.pos;
  }
}

/** One acquire in a loop, each round for another key: a later round fails, and the function leaves without a look at the earlier ones. */
function takenInLoop(unit: Unit, acquire: AcquireOperation, all: readonly Operation[]): PartialAcquire | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  const loop = loopAround();
  if (loop === undefined || acquire.result.won.some((v) => v.kind === 'unknown') || acquire.result.lost.some((v) => v.kind === 'unknown')) return undefined;
  if (!dependsOn(unit, acquire, loop) || !isOwnedHere(unit, acquire, fn) || isInTry(unit, loop)) return undefined;
  const graph = graphOf(unit, fn);
  const names = new Set<Binding>([...resultNames(unit, acquire.node), ...keptIn()]);
  const worlds = graph && simulate(unit, graph, { acquires: new Map([[acquire.node, acquire.result]]), releases: new Set(), escapes: mayFree, recalls: () => false });
  const left = worlds?.filter((w) => (w.at.kind === 'exit' || w.at.kind === 'throw-exit') && w.hold === 'held' && isPartial(w)).flatMap((w) => leavingAt(w) ?? []) ?? [];
  return left.sort((a, b) => a.node.pos - b.node.pos)[0];

  function loopAround(): ts.Node | undefined {
    for (let n: ts.Node = acquire.node; n !== fn && n.parent; n = n.parent) {
      if (ts.isForOfStatement(n) || ts.isForStatement(n) || ts.isForInStatement(n)) return n;
    }
    return undefined;
  }

  /** The local lists that the grants are put into. */
  function keptIn(): Binding[] {
    const found: Binding[] = [];
    const visit = (n: ts.Node): void => {
      const on = ts.isCallExpression(n) && isPut(n) ? bare(unit, (n.expression as ts.PropertyAccessExpression).expression) : undefined;
      const binding = on !== undefined && ts.isIdentifier(on) ? unit.scopes.resolve(on) : undefined;
      if (binding !== undefined && enclosingFunction(unit, binding.id) === fn && binding.kind !== 'param') found.push(binding);
      ts.forEachChild(n, visit);
    };
    if (loop !== undefined) visit(loop);
    return found;
  }

  function isPut(n: ts.CallExpression): boolean {
    return /^(?:push|add|set|unshift)$/.test(calledName(unit, n)) && ts.isPropertyAccessExpression(n.expression);
  }

  /** Any call that could give something back, or that gets at the grants, their owner or their keys. Only a push to a local list is none. */
  function mayFree(node: ts.Node): boolean {
    if (node === acquire.node) return false;
    if (ts.isBinaryExpression(node)) return handedBy(unit, node).length > 0;
    if (ts.isNewExpression(node)) return false;
    if (!ts.isCallExpression(node)) return ts.isReturnStatement(node);
    if (isPut(node) && mentionsName((node.expression as ts.PropertyAccessExpression).expression)) return false;
    return all.some((o) => o.node === node) || !isHarmless(unit, node) || mentionsName(node);
  }

  function mentionsName(node: ts.Node): boolean {
    let found = false;
    const visit = (n: ts.Node): void => {
      const binding = ts.isIdentifier(n) ? unit.scopes.resolve(n) : undefined;
      if (binding !== undefined && names.has(binding)) found = true;
      else ts.forEachChild(n, visit);
    };
    visit(node);
    return found;
  }

  /** The last round was refused while earlier ones were granted, and the function left on the spot: it does not go on with those it got. */
  function isPartial(world: World): boolean {
    for (let w: World = world; w.from !== undefined; w = w.from) {
      if (w.via === 'back' || looksAtOthers(w.at)) return false;
      if (!isAnswer(w.from.at.node)) continue;
      return w.from.hold === 'held' && w.from.site === acquire.node && isRefused(w);
    }
    return false;
  }

  /** Returns what was taken, or goes through it, which may end at once in the eyes of the graph. */
  function looksAtOthers({ kind, asks, node }: World['at']): boolean {
    if (node === undefined) return false;
    if (kind === 'return') return mentionsName(node);
    return asks === 'next' && (ts.isForOfStatement(node) || ts.isForInStatement(node)) && node !== loop && mentionsName(node.expression);
  }

  function isAnswer(node: ts.Node | undefined): boolean {
    return node === acquire.node || (node !== undefined && ts.isAwaitExpression(node) && bare(unit, node.expression) === acquire.node);
  }

  function isRefused(world: World): boolean {
    if (world.via === 'throw') return acquire.result.throwsWhenLost;
    const answer = world.env.get(acquire.node);
    return answer !== undefined && acquire.result.lost.some((v) => showValue(v) === showValue(answer));
  }

  function leavingAt(world: World): PartialAcquire | undefined {
    for (let w: World | undefined = world; w?.from !== undefined; w = w.from) {
      if (w.at.kind === 'return' && w.at.node !== undefined) return { node: w.at.node, world };
      if (w.via === 'throw') return w.from.at.node === undefined ? undefined : { node: w.from.at.kind === 'throw' ? w.from.at.node : acquire.node, world };
    }
    return undefined;
  }
}

function isCallbackOf(unit: Unit, fn: ts.ArrowFunction, method: string): boolean {
  const { ts } = unit;
  return ts.isCallExpression(fn.parent) && fn.parent.arguments[0] === fn && calledName(unit, fn.parent) === method;
}

/** The key names something of the callback or loop, so that each round takes another lock. */
function dependsOn(unit: Unit, acquire: AcquireOperation, round: ts.Node): boolean {
  const { ts } = unit;
  let found = false;
  const visit = (n: ts.Node): void => {
    const binding = ts.isIdentifier(n) ? unit.scopes.resolve(n) : undefined;
    if (binding !== undefined && binding.id.pos >= round.pos && binding.id.end <= acquire.node.pos + 1 && !isStringOnly(n)) found = true;
    else ts.forEachChild(n, visit);
  };
  acquire.node.forEachChild(visit);
  return found;

  function isStringOnly(n: ts.Node): boolean {
    return ts.isPropertyAssignment(n.parent) && n.parent.name === n;
  }
}

/** Nobody but this function can give the locks back: it made the owner, or it alone has the handles. */
function isOwnedHere(unit: Unit, acquire: AcquireOperation, fn: ts.Node): boolean {
  if (acquire.link === 'handle') return true;
  const { owner } = acquire;
  if (owner?.kind !== 'call' || freshnessOf(owner) !== 'random') return false;
  return owner.site >= fn.pos && owner.site < fn.end;
}

/** Within its function a `catch` or `finally` runs when the node throws. */
function isInTry(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  for (let n = node; n.parent && !isFunctionWithBody(unit, n); n = n.parent) {
    if (ts.isTryStatement(n.parent) && n.parent.tryBlock === n) return true;
  }
  return false;
}
