import type ts from 'typescript';
import { calledName, hasEffect, isCaught } from '../flow/call-words.js';
import { evaluate } from '../flow/evaluate.js';
import { simulate, type World } from '../flow/simulate.js';
import { witnessOf } from '../flow/witness.js';
import { graphOf } from '../functions/function-graph.js';
import { returnedValue } from '../functions/wrapper-form.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { showValue, truthOf, type Value } from '../operations/value.js';
import type { Place, WitnessStep } from '../place.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import { shownCall, shownCode } from '../syntax/shown-code.js';
import { isToldToFailOpen } from '../syntax/told-facts.js';
import type { Unit } from '../syntax/unit.js';
import { outageAnswer } from './outage-answer.js';
import { chosenOpen } from './outage-choice.js';
import { tellsStoreMissing } from './store-missing.js';
import { tellsFailure } from './tells-failure.js';

/** The lock is not there, and the work goes on. */
export interface GoesOn {
  /** `error`: the store fails. `missing`: there is no store to ask. */
  readonly cause: 'error' | 'missing';
  /** `answer`: the caller is told what the holder is told. `work`: the work itself runs. */
  readonly by: 'answer' | 'work';
  readonly at: Place;
  /** The work, or the answer, as text. */
  readonly text: string;
  readonly witness: readonly WitnessStep[];
}

/**
 * What becomes of the work when the store of a lock fails or is not there. `closed`: it does not go on. `asked`: only where the caller asks for it. `documented`: a tag or
 * the policy says that it is meant so. `told-closed`: the code does not tell, and the policy says that work stops. `unknown`: nobody tells.
 */
export type Outage = ({ readonly kind: 'open' } & GoesOn) | { readonly kind: 'closed' | 'told-closed' | 'asked' | 'documented' | 'unknown' };

/** How a path stands to the acquire: by its last answer. */
type Origin = 'won' | 'refused' | 'error' | 'untried';
/** `nothing`: another fault of the holder's path lies between. */
type Told = Origin | 'nothing';

/** Judges the paths of an acquire's function on which it gives no answer. `all`: the lock operations of the file. */
export function outageOf(unit: Unit, acquire: AcquireOperation, all: readonly Operation[]): Outage {
  const { ts } = unit;
  const site = acquire.node;
  const fn = enclosingFunction(unit, site);
  const caught = caughtValue();
  if (caught === undefined && !isInTry() && !mayBeSkipped() && !isRaced()) return { kind: 'closed' };
  const graph = isRaced() ? undefined : graphOf(unit, fn);
  if (graph === undefined) return untold();
  const here = all.filter((o) => enclosingFunction(unit, o.node) === fn);
  const acquires = here.filter((o): o is AcquireOperation => o.kind === 'acquire');
  const forms = new Map(acquires.map((a) => [a.node as ts.Node, a.node === site && caught !== undefined ? { ...a.result, lost: [...a.result.lost, caught] } : a.result]));
  const releases = new Set<ts.Node>(here.filter((o) => o.kind === 'release').map((o) => o.node));
  const worlds = simulate(unit, graph, { acquires: forms, releases, escapes: () => false, recalls: () => false });
  if (worlds === undefined) return untold();

  const origins = new Map<World, Told>();
  const afterThrow = new Map<World, Told>();
  const by: Record<Origin, World[]> = { won: [], refused: [], error: [], untried: [] };
  for (const w of worlds) {
    const origin = originOf(w);
    if (origin !== undefined) by[origin].push(w);
  }
  let answers: { readonly won: readonly Value[]; readonly lost: readonly Value[] } | undefined;
  const found = goesOn('error') ?? goesOn('missing');
  if (found === undefined) return isBlind() ? untold() : { kind: 'closed' };
  if (isMeantOpen(unit, fn)) return { kind: 'documented' };
  if (found.world === undefined) return { kind: 'open', ...found.fault };
  const choice = chosenOpen(unit, found.world, site);
  if (choice === 'unknown') return untold();
  return choice === 'open' ? { kind: 'open', ...found.fault } : { kind: choice };

  /** What the code does not tell the policy may. */
  function untold(): Outage {
    const meant = unit.models.policy?.onOutage;
    return { kind: meant === undefined ? 'unknown' : meant === 'fail-open' ? 'documented' : 'told-closed' };
  }

  function goesOn(cause: 'error' | 'missing'): { readonly fault: GoesOn; readonly world: World | undefined } | undefined {
    const some = cause === 'error' ? by.error : by.untried.filter((w) => missingTest(w) !== undefined);
    const work = workOf(some);
    if (work !== undefined) return fault(cause, 'work', work.node, work.world);
    const answered = acquire.scope === 'manual' ? some.find((w) => w.at.kind === 'exit' && answersAsHolder(w)) : undefined;
    return answered && fault(cause, 'answer', exitOf(answered), answered);
  }

  function fault(cause: 'error' | 'missing', how: 'answer' | 'work', node: ts.Node, world: World): { readonly fault: GoesOn; readonly world: World } {
    const note = how === 'answer' ? 'tells the caller that it has the lock' : 'the work runs without the lock';
    const end = { node, role: how === 'answer' ? 'exit' as const : 'call' as const, note };
    const test = missingTest(world);
    const steps = cause === 'error' || test === undefined ? witnessOf(unit, world, site, end) : [
      { place: unit.placeOf(test), role: 'test' as const, note: 'there is no store to ask' },
      { place: unit.placeOf(node), role: end.role, note },
      { place: unit.placeOf(site), role: 'acquire' as const, note: 'the lock that is passed by' },
    ];
    // `.catch(() => true)` is where the error becomes a grant; the work behind it is like any holder's.
    const at = caught !== undefined && isCaughtWorld(world) ? site : node;
    return { fault: { cause, by: how, at: unit.placeOf(at), text: textOf(node), witness: steps }, world };
  }

  function textOf(node: ts.Node): string {
    const value = ts.isReturnStatement(node) && node.expression !== undefined ? node.expression : node;
    const text = value.getText(unit.file);
    return ts.isCallExpression(value) ? shownCall(text, value.expression.getText(unit.file), 30) : shownCode(text, 30);
  }

  /** The last answer of the acquire on the way to a world. Undefined where another fault of the holder's path lies between: its work threw. */
  function originOf(world: World): Origin | undefined {
    // Worlds share their ways: each is told once.
    const passed: (readonly [Map<World, Told>, World])[] = [];
    let thrown = false;
    let found: Told | undefined;
    for (let w: World | undefined = world; w !== undefined && found === undefined; w = w.from) {
      const told: Map<World, Told> = thrown ? afterThrow : origins;
      found = told.get(w) ?? originAt(w, thrown);
      passed.push([told, w]);
      // Whoever was refused and throws is refused all the same.
      if (w.via === 'throw' && w.from?.hold !== 'lost') thrown = true;
    }
    const origin = found ?? 'nothing';
    for (const [told, w] of passed) told.set(w, origin);
    return origin === 'nothing' ? undefined : origin;
  }

  /** What a world itself tells: undefined where the one before it has to be asked. */
  function originAt(w: World, thrown: boolean): Told | undefined {
    if (w.from === undefined) return thrown ? 'nothing' : 'untried';
    // Where an optional call was skipped, nobody was asked.
    if (!answersAt(w.from) || w.hold === 'free') return undefined;
    if (w.via === 'throw') return thrown ? 'nothing' : 'error';
    if (w.hold === 'lost' && isCaughtWorld(w)) return 'error';
    return thrown ? 'nothing' : w.hold === 'held' ? 'won' : 'refused';
  }

  function answersAt(world: World): boolean {
    const { node, kind } = world.at;
    if (node === undefined) return false;
    if (kind === 'await' && ts.isAwaitExpression(node)) return bare(unit, node.expression) === site;
    return kind === 'call' && node === site && !(ts.isAwaitExpression(outerOf(site)));
  }

  function outerOf(node: ts.Node): ts.Node {
    let p = node.parent;
    while (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p)) p = p.parent;
    return p;
  }

  function isCaughtWorld(world: World): boolean {
    const value = world.env.get(site);
    return value !== undefined && caught !== undefined && showValue(value) === showValue(caught);
  }

  /** The value that `.catch(() => value)` gives for an error, where no refusal gives it. */
  function caughtValue(): Value | undefined {
    if (!isCaught(unit, site)) return undefined;
    const call = site.parent.parent;
    const handler = ts.isCallExpression(call) ? call.arguments[0] : undefined;
    const f = handler && bare(unit, handler);
    if (f === undefined || !ts.isArrowFunction(f)) return undefined;
    const value = ts.isBlock(f.body) ? onlyReturn(f.body) : f.body;
    const given = value === undefined ? undefined : evaluate(unit, new Map(), value);
    return given === undefined || given.kind === 'unknown' || acquire.result.lost.some((v) => showValue(v) === showValue(given)) ? undefined : given;
  }

  function onlyReturn(block: ts.Block): ts.Expression | undefined {
    const last = block.statements.at(-1);
    return last !== undefined && ts.isReturnStatement(last) ? last.expression : undefined;
  }

  function isInTry(): boolean {
    for (let n: ts.Node = site; n !== fn && n.parent; n = n.parent) if (ts.isTryStatement(n.parent) && n.parent.tryBlock === n && n.parent.catchClause !== undefined) return true;
    return false;
  }

  /** What wins over a slow acquire is not followed. */
  function isRaced(): boolean {
    for (let n: ts.Node = site; n !== fn && n.parent; n = n.parent) if (ts.isCallExpression(n) && n.expression.getText(unit.file) === 'Promise.race') return true;
    return false;
  }

  /** A test stands before the acquire, or around it. */
  function mayBeSkipped(): boolean {
    let found = false;
    const visit = (n: ts.Node): void => {
      if (found || n.pos > site.pos) return;
      if (ts.isIfStatement(n) || ts.isConditionalExpression(n) || ts.isBinaryExpression(n) || (ts.isPropertyAccessExpression(n) && n.questionDotToken !== undefined)) found = true;
      else ts.forEachChild(n, visit);
    };
    if (!ts.isSourceFile(fn) && fn.body !== undefined) visit(fn.body);
    return found;
  }

  function missingTest(world: World): ts.Node | undefined {
    for (let w: World = world; w.from !== undefined; w = w.from) {
      const { at } = w.from;
      if (at.kind === 'test' && at.node !== undefined && (w.via === 'true' || w.via === 'false') && tellsStoreMissing(unit, at.node, w.via === 'true', acquire)) return at.node;
    }
    return undefined;
  }

  /** What the holder is told and nobody who was refused. Work that the function does itself is judged as work. */
  function answersAsHolder(world: World): boolean {
    const { won, lost } = (answers ??= {
      won: by.won.filter((w) => w.at.kind === 'exit' && w.hold === 'held').map((w) => returnedValue(unit, acquire, w)),
      lost: by.refused.filter((w) => w.at.kind === 'exit').map((w) => returnedValue(unit, acquire, w)),
    });
    if (won.length === 0) return false;
    const value = outageAnswer(unit, acquire, world);
    if ([value, ...won].some((v) => v.kind === 'unknown')) return false;
    if ((value.kind !== 'const' || won.every((v) => v.kind === 'const' && v.value === undefined)) && works(by.won).size > 0) return false;
    const isToldSo = won.some((v) => isSame(v, value, lost));
    return isToldSo && !lost.some((v) => v.kind === 'unknown' || isSame(v, value, won));
  }

  /** The work of the holder that also runs on paths without an answer, where those that are refused do not run it. */
  function workOf(some: readonly World[]): { readonly node: ts.Node; readonly world: World } | undefined {
    const mine = works(by.won);
    const refused = works(by.refused);
    for (const [text, nodes] of mine) {
      if (refused.has(text)) continue;
      for (const w of some) {
        const { node, kind } = w.at;
        if (kind !== 'call' || node === undefined || !isWork(node) || !ts.isCallExpression(node)) continue;
        if (nodes.has(node) ? !inCatchOrFinally(node) : calleeText(node) === text && !tellsFailure(unit, node)) return { node, world: w };
      }
    }
    return undefined;
  }

  function works(some: readonly World[]): Map<string, Set<ts.Node>> {
    const found = new Map<string, Set<ts.Node>>();
    const add = (node: ts.Node): void => {
      const text = ts.isCallExpression(node) && isWork(node) ? calleeText(node) : undefined;
      if (text !== undefined) found.set(text, (found.get(text) ?? new Set<ts.Node>()).add(node));
    };
    for (const w of some) if (w.at.kind === 'call' && w.at.node !== undefined && (w.hold !== 'released')) add(w.at.node);
    const body = acquire.scope === 'callback' && some === by.won ? acquire.body : undefined;
    const visit = (n: ts.Node): void => {
      add(n);
      ts.forEachChild(n, visit);
    };
    if (body !== undefined) visit(body);
    return found;
  }

  function isWork(node: ts.Node): boolean {
    if (!ts.isCallExpression(node) || node === site || forms.has(node) || releases.has(node) || all.some((o) => o.node === node)) return false;
    return hasEffect(unit, node) && !CLEANUP.test(calledName(unit, node)) && !GIVES_BACK.test(calledName(unit, node));
  }

  function calleeText(node: ts.CallExpression): string {
    return node.expression.getText(unit.file);
  }

  function inCatchOrFinally(node: ts.Node): boolean {
    for (let n = node; n !== fn && n.parent; n = n.parent) if (ts.isCatchClause(n) || (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n)) return true;
    return false;
  }

  function exitOf(world: World): ts.Node {
    for (let w: World | undefined = world; w; w = w.from) if (w.at.kind === 'return' && w.at.node !== undefined) return w.at.node;
    return site;
  }

  /** A function that catches, and of whose answers too little is known. */
  function isBlind(): boolean {
    return (isInTry() || caught !== undefined) && acquire.result.won.some((v) => v.kind === 'unknown') && acquire.scope === 'manual';
  }
}

/** A tag or the policy of the code base says that work goes on without the store on purpose. */
export function isMeantOpen(unit: Unit, node: ts.Node): boolean {
  return unit.models.policy?.onOutage === 'fail-open' || isToldToFailOpen(unit, node);
}

/** `others`: what the other side is told, to find what tells the two apart. */
function isSame(a: Value, b: Value, others: readonly Value[]): boolean {
  if (showValue(a) === showValue(b)) return true;
  if (a.kind === 'object' && b.kind === 'object') {
    const telling = Object.entries(a.props).filter(([name, v]) => v.kind === 'const' && others.some((o) => o.kind === 'object' && o.props[name] !== undefined && showValue(o.props[name]) !== showValue(v)));
    return telling.length > 0 && telling.every(([name, v]) => b.props[name] !== undefined && showValue(b.props[name]) === showValue(v));
  }
  if (a.kind === 'const' && b.kind === 'const') return false;
  return truthOf(a) === true && truthOf(b) === true && !others.some((o) => truthOf(o) === true);
}

const CLEANUP = /^(release|close|quit|end|disconnect|destroy|rollback|commit|dispose|unlock|cancel|emit|increment|inc|observe|record|capture\w*|report\w*)$/i;

/** What hands a job back to its queue lets somebody else do the work, later. */
const GIVES_BACK = /^(?:nack|nak|requeue|reject|giveBack|putBack|abandon|reschedule|defer|postpone|redeliver|moveToDelayed|moveToWait\w*)(?=[A-Z]|$)/;
