import type ts from 'typescript';
import { calledName, isHarmless } from '../flow/call-words.js';
import { givesPromise } from '../flow/gives-promise.js';
import { promiseFate, TIMER, usesOf } from '../flow/promise-fate.js';
import { locksHeldAround } from '../functions/locks-held.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { bare, enclosingFunction, initialiserOf, isFunctionWithBody } from '../syntax/expression.js';
import { sharePart } from '../syntax/value-source.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/**
 * Work that a lock protects and that goes on after the lock is free. `returned`: a promise leaves a `try` whose `finally` frees. `each`: async callbacks nobody waits for.
 * `dropped`: a promise nobody waits for. `raced`: the loser of a race. `late`: a promise that is waited for after the release.
 */
export interface FloatingWork {
  readonly kind: 'returned' | 'each' | 'dropped' | 'raced' | 'late';
  readonly at: ts.Node;
  /** The work itself. */
  readonly work: ts.Node;
  /** All that says so can be read here. */
  readonly sure: boolean;
  /** Its name says that it only reads. */
  readonly isRead?: boolean;
}
/** `unclear`: a call that may be such work, where nothing tells whether it gives a promise. */
export type SectionWork = FloatingWork | { readonly kind: 'unclear'; readonly at: ts.Node } | { readonly kind: 'none' };

/** Looks through the section of one acquire, up to its releases in the same function. */
export function sectionWork(unit: Unit, acquire: AcquireOperation, onSameKey: readonly Operation[]): SectionWork {
  const { ts } = unit;
  const fn = sectionFunction(unit, acquire);
  if (fn === undefined) return { kind: 'none' };
  const isCallback = acquire.scope === 'callback';
  const releases = onSameKey.filter((o) => o.kind === 'release');
  const others: readonly ts.Node[] = onSameKey.filter((o) => o.kind === 'acquire' && enclosingFunction(unit, o.node) === fn).map((o) => o.node);
  const frees = releases.filter((r) => enclosingFunction(unit, r.node) === fn);
  // Whoever frees a lock that leaves this function waits for its work, or does not: that is not told here.
  if (!isCallback && acquire.scope !== 'using' && frees.length === 0) return { kind: 'none' };
  const lockCalls = new Set<ts.Node>([acquire.node, ...releases.map((r) => r.node)]);
  const found: SectionWork[] = [];
  visit(fn);
  const floating = found.filter((f): f is FloatingWork => f.kind !== 'none' && f.kind !== 'unclear');
  return floating[0] ?? found[0] ?? { kind: 'none' };

  function visit(node: ts.Node): void {
    ts.forEachChild(node, (n) => {
      if (isFunctionWithBody(unit, n)) return;
      if (n.end > acquire.node.end || isCallback) inspect(n);
      visit(n);
    });
  }

  function inspect(n: ts.Node): void {
    if (ts.isReturnStatement(n) && n.expression !== undefined && !isCallback && isFreedAfter(n)) returned(n.expression, n);
    else if (ts.isExpressionStatement(n)) statement(bare(unit, n.expression));
    else if (ts.isAwaitExpression(n)) raced(bare(unit, n.expression));
    else if (ts.isVariableDeclaration(n) && n.initializer !== undefined && ts.isIdentifier(n.name)) late(n.name, bare(unit, n.initializer));
  }

  /** Leaves by a `finally` that frees, or by the end of the block a `using` lock lives in. */
  function isFreedAfter(n: ts.Node): boolean {
    if (n.pos < acquire.node.pos) return false;
    if (acquire.scope === 'using') return n.pos >= acquire.node.end && within(n, blockAround(acquire.node));
    for (let p: ts.Node = n; p !== fn && p.parent; p = p.parent) {
      const t = p.parent;
      if (ts.isTryStatement(t) && t.finallyBlock !== undefined && p !== t.finallyBlock && frees.some((r) => within(r.node, t.finallyBlock))) return true;
    }
    return false;
  }

  function returned(value: ts.Expression, at: ts.Node): void {
    const e = bare(unit, value);
    if (ts.isConditionalExpression(e)) {
      returned(e.whenTrue, at);
      return returned(e.whenFalse, at);
    }
    if (ts.isBinaryExpression(e) && [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.AmpersandAmpersandToken].includes(e.operatorToken.kind)) return returned(e.right, at);
    if (lockCalls.has(e) || isWaitedFor(e) || !isMine(at)) return;
    const promise = givesPromise(unit, e);
    if (promise === 'yes' || promise === 'maybe') found.push({ kind: 'returned', at, work: e, sure: promise === 'yes', isRead: isRead(e) });
    else if (promise === undefined && ts.isCallExpression(e) && !isHarmless(unit, e)) found.push({ kind: 'unclear', at });
  }

  /** Of several acquires of the key in a function, the one whose lock is held here. */
  function isMine(n: ts.Node): boolean {
    if (others.length === 0) return true;
    const held = locksHeldAround(unit, n).map((l) => l.operation.node as ts.Node);
    if (held.includes(acquire.node) || others.some((o) => held.includes(o))) return held.includes(acquire.node);
    return others.every((o) => o.pos < acquire.node.pos || o.pos > n.pos);
  }

  /** What only reads does no harm to the next worker. A function that was handed over is the work itself. */
  function isRead(e: ts.Expression): boolean {
    return ts.isCallExpression(e) && isHarmless(unit, e);
  }

  /** A name whose promise was awaited on the way. */
  function isWaitedFor(e: ts.Expression): boolean {
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    return binding !== undefined && usesOf(unit, binding).some((use) => use.pos < e.pos && promiseFate(unit, use).kind === 'awaited');
  }

  function statement(whole: ts.Expression): void {
    const e = ts.isVoidExpression(whole) ? bare(unit, whole.expression) : whole;
    if (!ts.isCallExpression(e) || lockCalls.has(e)) return;
    // `void` says that nobody waits on purpose, unless all that the lock is for is left so.
    if (e !== whole && !isOnlyWork(e)) return;
    const callee = bare(unit, e.expression);
    const [handler] = e.arguments;
    if (ts.isPropertyAccessExpression(callee) && /^(?:forEach|map)$/.test(callee.name.text) && handler !== undefined && isAsyncFunction(handler) && isHeld(e)) {
      found.push({ kind: 'each', at: e, work: e, sure: true });
      return;
    }
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'push' && handler !== undefined) return collected(callee.expression, bare(unit, handler));
    if (!isOfTheSection(e) && !isOnlyWork(e)) return;
    if (!isHeld(e)) return;
    const promise = givesPromise(unit, e);
    if (promise === 'yes') found.push({ kind: 'dropped', at: e, work: e, sure: false });
    else if (promise === undefined && !isHarmless(unit, e)) found.push({ kind: 'unclear', at: e });
  }

  /** `this.post(id).then(log)` where nothing else is waited for under the lock: it is what the lock is for. */
  function isOnlyWork(chain: ts.CallExpression): boolean {
    const behind = calledBehind(chain);
    // Who looks after its failure has sent it off on purpose.
    if (behind === undefined || (behind === chain && !isCallback) || calledName(unit, chain) === 'catch' || !isOfTheSection(behind)) return false;
    let waits = false;
    const look = (n: ts.Node): void => {
      if (waits || isFunctionWithBody(unit, n)) return;
      // What a section that is handed over gives back is waited for.
      if (isCallback && ts.isReturnStatement(n) && n.expression !== undefined) waits = true;
      if (ts.isAwaitExpression(n) && (isCallback || n.pos >= acquire.node.end) && !lockCalls.has(bare(unit, n.expression))) waits = true;
      else ts.forEachChild(n, look);
    };
    if (fn !== undefined) ts.forEachChild(fn, look);
    return !waits;
  }

  /** The work that was handed over, or a call about what the key names. Telling others of it is no part of it. */
  function isOfTheSection(call: ts.CallExpression): boolean {
    const callee = bare(unit, call.expression);
    if (/^(?:then|catch|finally)$/.test(calledName(unit, call)) || ASIDE.test(calledName(unit, call))) return false;
    if (ts.isIdentifier(callee) && unit.scopes.resolve(callee)?.kind === 'param') return true;
    if (isAsyncFunction(callee)) return true;
    return call.arguments.some((a) => !ts.isSpreadElement(a) && sharePart(acquire.key, termOf(unit, a)));
  }

  function raced(e: ts.Expression): void {
    if (!ts.isCallExpression(e) || !isHeld(e)) return;
    const callee = bare(unit, e.expression);
    const [first] = e.arguments;
    if (ts.isPropertyAccessExpression(callee) && callee.expression.getText(unit.file) === 'Promise' && /^(?:race|any)$/.test(callee.name.text)) {
      const list = first && bare(unit, first);
      if (list === undefined || !ts.isArrayLiteralExpression(list)) return;
      const entries = list.elements.map((x) => bare(unit, x));
      const work = entries.find((x) => isWork(x) && !isWaitedForLater(x));
      if (work !== undefined && entries.some((x) => isTimer(x))) found.push({ kind: 'raced', at: e, work, sure: true });
      return;
    }
    // `withTimeout(work(), 5_000)`
    if (!/time(?:d)?_?out|deadline/i.test(calledName(unit, e)) || first === undefined) return;
    const work = bare(unit, first);
    if (ts.isCallExpression(work) && isWork(work)) found.push({ kind: 'raced', at: e, work, sure: false });
  }

  function isWork(e: ts.Expression): boolean {
    const call = calledBehind(e);
    if (call === undefined || lockCalls.has(call) || isTimer(e) || isHarmless(unit, call)) return false;
    // Work that can be told to stop may have stopped.
    return !call.arguments.some((a) => /signal|abort|controller/i.test(a.getText(unit.file)));
  }

  function calledBehind(e: ts.Expression): ts.CallExpression | undefined {
    if (ts.isCallExpression(e)) {
      const callee = bare(unit, e.expression);
      const isPassedOn = ts.isPropertyAccessExpression(callee) && /^(?:then|catch|finally)$/.test(callee.name.text);
      return isPassedOn ? calledBehind(bare(unit, callee.expression)) : e;
    }
    const init = named(e);
    return init && calledBehind(bare(unit, init));
  }

  function named(e: ts.Expression): ts.Expression | undefined {
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    return binding && initialiserOf(unit, binding);
  }

  function isTimer(e: ts.Expression): boolean {
    const init = named(e);
    const text = (init === undefined ? e : init).getText(unit.file);
    return TIMER.test(text) || (ts.isIdentifier(e) && TIMER.test(e.text));
  }

  /** The loser is awaited on its way out all the same. */
  function isWaitedForLater(e: ts.Expression): boolean {
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    return binding !== undefined && usesOf(unit, binding).some((use) => use.pos > e.end && /^(?:awaited|returned|kept)$/.test(promiseFate(unit, use).kind));
  }

  /** Started under the lock, and waited for only after it was freed. */
  function late(name: ts.Identifier, init: ts.Expression): void {
    const binding = unit.scopes.resolve(name);
    const last = Math.max(...frees.map((r) => r.node.end));
    if (isCallback || frees.length === 0 || binding === undefined || lockCalls.has(init) || !ts.isCallExpression(init) || frees.some((r) => isInFinally(r.node))) return;
    const uses = usesOf(unit, binding);
    const isLate = uses.length > 0 && uses.every((use) => use.pos > last && (promiseFate(unit, use).kind === 'awaited' || promiseFate(unit, use).kind === 'returned'));
    if (isLate && isOfTheSection(init) && givesPromise(unit, init) === 'yes' && isHeld(init)) found.push({ kind: 'late', at: init, work: init, sure: false });
  }

  /** `all.push(work(id))` under the lock, and `await Promise.all(all)` only after it was freed. */
  function collected(list: ts.Expression, work: ts.Expression): void {
    const name = bare(unit, list);
    const binding = ts.isIdentifier(name) ? unit.scopes.resolve(name) : undefined;
    if (isCallback || binding === undefined || frees.length === 0 || !ts.isCallExpression(work) || lockCalls.has(work) || givesPromise(unit, work) !== 'yes' || !isHeld(work)) return;
    const last = Math.max(...frees.map((r) => r.node.end));
    const gathers = usesOf(unit, binding).filter((use) => ts.isCallExpression(use.parent) && use.parent.arguments.some((a) => a === use) && /^Promise\.all/.test(use.parent.expression.getText(unit.file)));
    if (gathers.length > 0 && gathers.every((use) => use.pos > last)) found.push({ kind: 'late', at: work, work, sure: false });
  }

  function isInFinally(n: ts.Node): boolean {
    for (let p = n; p !== fn && p.parent; p = p.parent) if (ts.isTryStatement(p.parent) && p.parent.finallyBlock === p) return true;
    return false;
  }

  function isHeld(n: ts.Node): boolean {
    if (isCallback) return true;
    if (acquire.scope === 'using') return n.pos >= acquire.node.end && within(n, blockAround(acquire.node));
    return locksHeldAround(unit, n).some((l) => l.operation.node === acquire.node) || isGuardedBy(n);
  }

  /** Where the answer of the acquire is not understood, the `finally` that frees says that the lock is held in its `try`. */
  function isGuardedBy(n: ts.Node): boolean {
    return isFreedAfter(n) && n.pos >= acquire.node.end;
  }

  function isAsyncFunction(e: ts.Expression): boolean {
    const f = bare(unit, e);
    return (ts.isArrowFunction(f) || ts.isFunctionExpression(f)) && f.modifiers?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) === true;
  }

  function blockAround(n: ts.Node): ts.Node {
    let p = n.parent;
    while (!ts.isBlock(p) && !ts.isSourceFile(p)) p = p.parent;
    return p;
  }
}

const ASIDE = /log|track|metric|notif|emit|audit|report|publish|telemetry|trace|warn|debug|info|record/i;

function within(node: ts.Node, outer: ts.Node | undefined): boolean {
  return outer !== undefined && node.pos >= outer.pos && node.end <= outer.end;
}

/** The function that runs under the lock: the one handed over, or the one that takes it. */
function sectionFunction(unit: Unit, acquire: AcquireOperation): ts.Node | undefined {
  const { ts } = unit;
  if (acquire.scope === 'transaction') return undefined;
  if (acquire.scope !== 'callback') return enclosingFunction(unit, acquire.node);
  const body = acquire.body && bare(unit, acquire.body);
  return body !== undefined && (ts.isArrowFunction(body) || ts.isFunctionExpression(body)) ? body : undefined;
}
