import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { resultNames } from '../flow/result-names.js';
import { simulate, type World } from '../flow/simulate.js';
import { calledFunction } from '../functions/called-function.js';
import { graphOf } from '../functions/function-graph.js';
import { TRUTHY } from '../operations/value.js';
import { bare, enclosingFunction, isFunctionWithBody, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { rearmingOf, type Rearming } from './stop-flag.js';
import { Kept } from '../kept.js';

/** A timer that runs a renewal again and again. */
export interface RenewalTimer {
  readonly call: ts.CallExpression;
  /** `interval`: by itself. `rearmed`: a timeout that its own callback sets anew. */
  readonly kind: 'interval' | 'rearmed';
  readonly handle: TimerHandle;
  /** The calls that end it, in the order of the text. */
  readonly clears: readonly ts.CallExpression[];
  readonly rearming: Rearming;
  /** It does not keep the process alive. */
  readonly unref: boolean;
}

/** Where the timer is kept. `given`: other code gets it, and may end it. */
export type TimerHandle = { readonly kind: 'dropped' | 'given' } | { readonly kind: 'name'; readonly name: string; readonly isLocal: boolean };

/** The timer that runs a node again and again; undefined where there is none in the file. */
export function renewalTimer(unit: Unit, node: ts.Node): RenewalTimer | undefined {
  for (const timer of timersOf(unit)) {
    if (!timer.reaches.some((fn) => node.pos >= fn.pos && node.end <= fn.end)) continue;
    const isInterval = calledName(unit, timer.call) === 'setInterval';
    const around = enclosingFunction(unit, timer.call);
    if (!isInterval && !timer.reaches.includes(around)) continue;
    const handle = handleOf(unit, timer.call);
    return {
      call: timer.call, kind: isInterval ? 'interval' : 'rearmed', handle, clears: clearsOf(unit, timer.call, handle), rearming: isInterval ? { guards: [], tests: [], isAfterwards: false } : rearmingOf(unit, timer.call, around, timer.reaches, node),
      unref: isUnref(unit, timer.call),
    };
  }
  return undefined;
}

/** The way out of the function that sets a timer and leaves it running, where other ways end it. */
export function timerLeak(unit: Unit, timer: RenewalTimer): { readonly node: ts.Node; readonly by: 'return' | 'throw' } | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, timer.call);
  const own = new Set<ts.Node>(timer.clears.filter((c) => enclosingFunction(unit, c) === fn));
  const graph = own.size === 0 ? undefined : graphOf(unit, fn);
  const worlds = graph && simulate(unit, graph, {
    acquires: new Map([[timer.call, { label: 'timer', won: [TRUTHY], lost: [], throwsWhenLost: false }]]), releases: own, escapes: () => false, recalls: () => false,
  });
  if (worlds?.some((w) => w.hold === 'released') !== true) return undefined;
  for (const world of worlds.filter((w) => w.hold === 'held' && (w.at.kind === 'exit' || w.at.kind === 'throw-exit'))) {
    const thrown = firstThrow(world);
    if (thrown !== undefined && !isInHandler(thrown)) return { node: thrown, by: 'throw' };
    const left = thrown === undefined ? returnOf(world) : undefined;
    if (left !== undefined) return { node: left, by: 'return' };
  }
  return undefined;

  /** The first exception after the timer was set: what a `finally` throws later changes nothing. */
  function firstThrow(world: World): ts.Node | undefined {
    let first: ts.Node | undefined;
    for (let w: World | undefined = world; w?.from !== undefined && w.site === timer.call; w = w.from) if (w.via === 'throw') first = w.from.at.node;
    return first === timer.call ? undefined : first;
  }

  function returnOf(world: World): ts.Node | undefined {
    for (let w: World | undefined = world; w !== undefined && w.site === timer.call; w = w.from) if (w.at.kind === 'return') return w.at.node;
    return undefined;
  }

  function isInHandler(node: ts.Node): boolean {
    for (let n = node; n !== fn && n.parent; n = n.parent) if (ts.isCatchClause(n) || (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n)) return true;
    return false;
  }
}

interface Timer { readonly call: ts.CallExpression; readonly reaches: readonly ts.Node[] }
const known = new Kept<Unit, readonly Timer[]>();

/** The functions that timers of a file run, where they stand or by their names. */
export function timerCallbacks(unit: Unit): ReadonlySet<ts.Node> {
  return new Set(timersOf(unit).flatMap((t) => t.reaches.slice(0, 1)));
}

/** The timers of a file with the functions they run, two calls deep. */
function timersOf(unit: Unit): readonly Timer[] {
  const { ts } = unit;
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found: Timer[] = [];
  const visit = (n: ts.Node): void => {
    const callback = ts.isCallExpression(n) && /^set(?:Interval|Timeout)$/.test(calledName(unit, n)) ? n.arguments[0] : undefined;
    if (callback !== undefined && ts.isCallExpression(n)) {
      const first = functionOf(unit, callback);
      if (first !== undefined) found.push({ call: n, reaches: reachedFrom(unit, first) });
    }
    ts.forEachChild(n, visit);
  };
  if (unit.says(/set(?:Interval|Timeout)/)) visit(unit.file);
  known.set(unit, found);
  return found;
}

/** The function that an expression stands for: an arrow, a name, `this.beat`, `this.beat.bind(this)`. */
function functionOf(unit: Unit, callback: ts.Expression): ts.Node | undefined {
  const { ts } = unit;
  const e = bare(unit, callback);
  if (isFunctionWithBody(unit, e)) return e;
  if (ts.isCallExpression(e) && calledName(unit, e) === 'bind' && ts.isPropertyAccessExpression(e.expression)) return functionOf(unit, e.expression.expression);
  if (ts.isIdentifier(e)) {
    const d = unit.scopes.resolve(e)?.declaration;
    if (d === undefined) return undefined;
    if (isFunctionWithBody(unit, d)) return d;
    const value = ts.isVariableDeclaration(d) && d.initializer !== undefined ? bare(unit, d.initializer) : undefined;
    return value !== undefined && isFunctionWithBody(unit, value) ? value : undefined;
  }
  const around = ts.isPropertyAccessExpression(e) ? classOf(unit, e) : undefined;
  if (!ts.isPropertyAccessExpression(e) || around === undefined) return undefined;
  // `this.beat`, and `Worker.beat` of a static one.
  if (e.expression.kind !== ts.SyntaxKind.ThisKeyword && e.expression.getText(unit.file) !== around.name?.text) return undefined;
  const m = around.members.find((x) => x.name !== undefined && nameText(unit, x.name) === e.name.text);
  return m !== undefined && ts.isPropertyDeclaration(m) ? m.initializer && functionOf(unit, m.initializer) : m !== undefined && isFunctionWithBody(unit, m) ? m : undefined;
}

function reachedFrom(unit: Unit, first: ts.Node): ts.Node[] {
  const { ts } = unit;
  const found = [first];
  for (let i = 0, level = 0; i < found.length && level < 12; i++, level++) {
    const fn = found[i];
    const visit = (n: ts.Node): void => {
      const called = ts.isCallExpression(n) ? calledFunction(unit, n) : undefined;
      if (called?.unit === unit && !found.includes(called.fn)) found.push(called.fn);
      ts.forEachChild(n, visit);
    };
    if (fn !== undefined) ts.forEachChild(fn, visit);
  }
  return found;
}

/** The timer with `.unref()` and casts around it. */
function wholeTimer(unit: Unit, call: ts.CallExpression): ts.Expression {
  const { ts } = unit;
  let e: ts.Expression = call;
  for (;;) {
    const p: ts.Node = e.parent;
    if (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p)) e = p;
    else if (ts.isPropertyAccessExpression(p) && p.name.text === 'unref' && ts.isCallExpression(p.parent)) e = p.parent;
    else return e;
  }
}

function handleOf(unit: Unit, call: ts.CallExpression): TimerHandle {
  const { ts } = unit;
  const e = wholeTimer(unit, call);
  const p = e.parent;
  if (ts.isExpressionStatement(p) || ts.isVoidExpression(p)) return { kind: 'dropped' };
  if (ts.isVariableDeclaration(p) && ts.isIdentifier(p.name)) return { kind: 'name', name: p.name.text, isLocal: true };
  if (ts.isPropertyDeclaration(p) && p.initializer === e) return { kind: 'name', name: nameText(unit, p.name), isLocal: false };
  if (ts.isBinaryExpression(p) && p.right === e) {
    const target = bare(unit, p.left);
    if (ts.isIdentifier(target)) return { kind: 'name', name: target.text, isLocal: true };
    if (ts.isPropertyAccessExpression(target)) return { kind: 'name', name: target.name.text, isLocal: false };
  }
  // `this.timers.set(id, setInterval(..))`: kept in a collection of its own, in a file that ends no timer at all.
  const into = ts.isCallExpression(p) && /^(?:set|add|push)$/.test(calledName(unit, p)) && ts.isPropertyAccessExpression(p.expression) ? p.expression.expression : undefined;
  if (into !== undefined && isOwn(unit, into) && !/\bclear(?:Interval|Timeout)\b|\.close\(/.test((classOf(unit, into) ?? unit.file).getText(unit.file))) return { kind: 'name', name: into.getText(unit.file), isLocal: false };
  return { kind: 'given' };
}

/** A private field of the class, or a name that is not exported. */
function isOwn(unit: Unit, e: ts.Expression): boolean {
  const { ts } = unit;
  const target = bare(unit, e);
  if (ts.isIdentifier(target)) return unit.scopes.resolve(target)?.kind === 'const';
  if (!ts.isPropertyAccessExpression(target) || target.expression.kind !== ts.SyntaxKind.ThisKeyword) return false;
  const field = classOf(unit, e)?.members.find((m) => m.name !== undefined && nameText(unit, m.name) === target.name.text);
  return field !== undefined && (ts.isPrivateIdentifier(target.name) || (ts.canHaveModifiers(field) && ts.getModifiers(field)?.some((m) => m.kind === ts.SyntaxKind.PrivateKeyword) === true));
}

function classOf(unit: Unit, node: ts.Node): ts.ClassLikeDeclaration | undefined {
  for (let n: ts.Node | undefined = node.parent; n; n = n.parent) if (unit.ts.isClassLike(n)) return n;
  return undefined;
}

/** Calls that end the timer by its name: `clearInterval(timer)`, `timer.close()`. A local name counts only where it is the same one. */
function clearsOf(unit: Unit, call: ts.CallExpression, handle: TimerHandle): ts.CallExpression[] {
  const { ts } = unit;
  if (handle.kind !== 'name') return [];
  const found: ts.CallExpression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n)) {
      const name = calledName(unit, n);
      const ended = /^clear(?:Interval|Timeout)$/.test(name) ? n.arguments[0] : name === 'close' && ts.isPropertyAccessExpression(n.expression) ? n.expression.expression : undefined;
      if (ended !== undefined && isHandle(bare(unit, ended))) found.push(n);
    }
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return found;

  function isHandle(e: ts.Expression): boolean {
    if (handle.kind !== 'name') return false;
    // Two classes of a file may both have a `timer`.
    if (ts.isPropertyAccessExpression(e)) return !handle.isLocal && e.name.text === handle.name && (e.expression.kind !== ts.SyntaxKind.ThisKeyword || classOf(unit, e) === classOf(unit, call));
    if (!ts.isIdentifier(e)) return false;
    if (handle.isLocal) return e.text === handle.name && unit.scopes.resolve(e) === unit.scopes.lookup(handle.name, call);
    // `const { timer } = this.entries.get(key)`
    return e.text === handle.name || aliases(e, handle.name);
  }

  function aliases(e: ts.Identifier, name: string): boolean {
    const d = unit.scopes.resolve(e)?.declaration;
    return d !== undefined && ts.isVariableDeclaration(d) && d.initializer !== undefined && new RegExp(`\\b${name}\\b`).test(d.initializer.getText(unit.file));
  }
}

/** Whether the handle leaves its name for other code: returned, passed on, put into an object. */
export function isHandedOn(unit: Unit, timer: RenewalTimer): boolean {
  const { ts } = unit;
  if (timer.handle.kind !== 'name') return timer.handle.kind === 'given';
  const { name, isLocal } = timer.handle;
  if (!isLocal) return false;
  const binding = unit.scopes.lookup(name, timer.call);
  const names = new Set([...(binding === undefined ? [] : [binding]), ...resultNames(unit, timer.call)]);
  let away = false;
  const visit = (n: ts.Node): void => {
    if (away) return;
    if (ts.isIdentifier(n) && n.text === name && isUse(n)) {
      const b = unit.scopes.resolve(n);
      if (b !== undefined && names.has(b)) away = true;
    }
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return away;

  function isUse(id: ts.Identifier): boolean {
    const p = id.parent;
    if (ts.isCallExpression(p)) return p.arguments.some((a) => a === id) && !/^clear(?:Interval|Timeout)$/.test(calledName(unit, p));
    return ts.isReturnStatement(p) || ts.isPropertyAssignment(p) || ts.isShorthandPropertyAssignment(p) || ts.isArrayLiteralExpression(p) || (ts.isBinaryExpression(p) && p.right === id) || (ts.isArrowFunction(p) && p.body === id);
  }
}

function isUnref(unit: Unit, call: ts.CallExpression): boolean {
  const p = call.parent;
  if (unit.ts.isPropertyAccessExpression(p) && p.name.text === 'unref') return true;
  const handle = handleOf(unit, call);
  return handle.kind === 'name' && unit.says(new RegExp(`\\b${handle.name.replace('$', '\\$')}\\b\\??[.]unref\\b`));
}
