import type ts from 'typescript';
import { NOTHING, showValue, truthOf, type Value } from '../operations/value.js';
import { bare, wholeValue } from '../syntax/expression.js';
import { loopAround } from '../syntax/loop-around.js';
import type { Unit } from '../syntax/unit.js';
import { calledName, cannotThrow, changesCollection, isCleanup, isHarmless } from './call-words.js';
import { computes } from './computes.js';
import { answerOf, goesElsewhere } from './answer-carrier.js';
import type { FlowGraph } from './cfg-types.js';
import { evaluate } from './evaluate.js';
import { roundEnd } from './round-end.js';
import { simulate, type Protocol, type World } from './simulate.js';
import { resultNames } from './result-names.js';

/** A fault on a path: where it shows and the world it shows in, whose `from` chain is the path. */
export interface PathFault {
  readonly node: ts.Node;
  readonly world: World;
}

/** What the paths of one function say of one acquire (or guarded write) and its releases. */
export interface LockPaths {
  /** The first exit that leaves the lock behind, in a function that frees or hands it over elsewhere. */
  readonly leak: (PathFault & { readonly by: 'return' | 'throw' }) | undefined;
  /** The function gives the lock away on some path: who frees it then is not told here. */
  readonly handedOver: boolean;
  /** Some path frees the lock. */
  readonly frees: boolean;
  /** How the answer is treated. */
  readonly answer: AnswerUse;
  /** Releases that can run when the lock is not held, with the path. */
  readonly unheld: ReadonlyMap<ts.Node, World>;
}

/**
 * `heeded`: the work depends on it. `dropped`: never looked at. `misread`: looked at, but losers do the same as winners. `repeated`: losers run the same effect elsewhere.
 * `given-away`: handed to code that is not followed. `none`: there is nothing to look at (it throws) or nothing depends on it.
 */
export type AnswerUse =
  | { readonly kind: 'heeded' | 'given-away' | 'none' }
  | { readonly kind: 'dropped' | 'misread' | 'repeated'; readonly effect: ts.Node | undefined; readonly world: World | undefined; /** Winners alone log or note that they have won: the two were told apart, and what both do may be meant so. */ readonly noted?: true };

/** Judges the paths of a function around one acquire; undefined when there are too many. */
export function lockPaths(unit: Unit, graph: FlowGraph, site: ts.Node, protocol: Protocol): LockPaths | undefined {
  const { ts } = unit;
  const reached = simulate(unit, graph, protocol);
  if (reached === undefined) return undefined;
  const worlds: readonly World[] = reached;
  const names = resultNames(unit, site);
  const ends = worlds.filter((w) => w.at.kind === 'exit' && w.site === site);
  const frees = worlds.some((w) => w.hold === 'released');
  // Where a test on the answer cannot be read, an exit of the loser looks like one of the holder.
  const refusals = protocol.acquires.get(site)?.lost ?? [];
  const opaque = refusals.some((v) => v.kind === 'unknown') || (refusals.length > 0 && isMixedIn());
  return { leak: opaque ? undefined : findLeak(), handedOver: opaque || !ends.some((w) => w.hold === 'released') || ends.some((w) => w.hold === 'held' || w.hold === 'kept' || w.hold === 'escaped'), frees, answer: answerUse(), unheld: unheldReleases() };

  function findLeak(): LockPaths['leak'] {
    if (!ends.some((w) => w.hold === 'released') || freesAfterErrorsAlone()) return undefined;
    const left = ends.filter((w) => w.hold === 'held' && !returnMentions(w) && !tellsHolder(w) && !wasRefused(w) && !foundOther(w)).map((world) => ({ node: exitNode(world), world, by: 'return' as const }));
    if (left.length > 0) return first(left);
    const thrown = worlds.filter((w) => w.at.kind === 'throw-exit' && w.site === site && w.hold === 'held' && !foundOther(w)).flatMap((world) => {
      const node = thrower(world);
      return node === undefined || inCatchOrFinally(node) || isAnswer(node) ? [] : [{ node, world, by: 'throw' as const }];
    });
    return first(thrown);
  }

  /** Every release stands in a catch clause: after success the lock is left to its TTL, as a pause until the next round. Nobody forgets all of the good paths. */
  function freesAfterErrorsAlone(): boolean {
    const clauseOf = (node: ts.Node): boolean => {
      for (let n = node; n !== graph.root && n.parent; n = n.parent) if (ts.isCatchClause(n)) return true;
      return false;
    };
    return protocol.releases.size > 0 && [...protocol.releases].every(clauseOf);
  }

  /** `true` for the holder where all others get `false` or nothing: the caller is told that it has the lock now. */
  function tellsHolder(world: World): boolean {
    return isTruth(world, true) && worlds.every((w) => w.at.kind !== 'exit' || w.hold === 'held' || w.hold === 'kept' || w.hold === 'escaped' || isTruth(w, false));
  }

  function isTruth(world: World, truth: boolean): boolean {
    return truthOf(world.returned ?? NOTHING) === truth;
  }

  /** A later round of a loop was refused: what it holds is another lock, of an earlier round. */
  function wasRefused(world: World): boolean {
    const answer = world.env.get(site);
    return answer !== undefined && protocol.acquires.get(site)?.lost.some((v) => showValue(v) === showValue(answer)) === true;
  }

  /** On the way out the code has asked whose the lock is, and it was another's. */
  function foundOther(world: World): boolean {
    for (let w: World | undefined = world; w && w.at.node !== site; w = w.from) if (w.at.kind === 'test' && w.at.node !== undefined && protocol.asksOwner?.(w.at.node) === true) return true;
    return false;
  }

  function isAnswer(node: ts.Node): boolean {
    if (node === site || gathersAnswer(node)) return true;
    const inner = ts.isAwaitExpression(node) ? bare(unit, node.expression) : undefined;
    // `const asked = acquire(); .. await asked`: the refusal throws there.
    return inner !== undefined && (inner === site || (ts.isIdentifier(inner) && isResultName(inner)) || gathersAnswer(inner));
  }

  /** `Promise.race([timer, asked])` */
  function gathersAnswer(e: ts.Node): boolean {
    const list = ts.isCallExpression(e) && e.expression.getText(unit.file).startsWith('Promise.') ? e.arguments[0] : undefined;
    return list !== undefined && ts.isArrayLiteralExpression(list) && list.elements.some((x) => x === site || (ts.isIdentifier(x) && isResultName(x)));
  }

  function first<Fault extends PathFault>(faults: readonly Fault[]): Fault | undefined {
    return [...faults].sort((a, b) => a.node.pos - b.node.pos)[0];
  }

  /** What a world left by: the `continue` that ended the round of the lock, else the return statement, else the site itself where the function ends by falling off. */
  function exitNode(world: World): ts.Node {
    const round = roundEnd(unit, graph.root, world, site);
    if (round !== undefined) return round;
    for (let w: World | undefined = world; w; w = w.from) {
      if (w.at.kind === 'return' && w.at.node !== undefined) return w.at.node;
      if (w.at.node === site) break;
    }
    return site;
  }

  function thrower(world: World): ts.Node | undefined {
    for (let w: World | undefined = world; w?.from !== undefined; w = w.from) if (w.via === 'throw') return w.from.at.node;
    return undefined;
  }

  function inCatchOrFinally(node: ts.Node): boolean {
    for (let n = node; n !== graph.root && n.parent; n = n.parent) {
      if (ts.isCatchClause(n) || (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n)) return true;
    }
    return false;
  }

  /** The value that is returned names the lock, or is a function that may free it. */
  function returnMentions(world: World): boolean {
    const node = exitNode(world);
    const value = ts.isReturnStatement(node) ? node.expression : node === site ? undefined : node;
    if (value === undefined) return false;
    let found = false;
    const visit = (n: ts.Node): void => {
      if (n === site || ts.isFunctionLike(n)) found = true;
      else if (ts.isIdentifier(n) && isResultName(n)) found = true;
      else ts.forEachChild(n, visit);
    };
    visit(value);
    return found || protocol.escapes(node);
  }

  function isResultName(id: ts.Identifier): boolean {
    const binding = unit.scopes.resolve(id);
    return binding !== undefined && names.has(binding);
  }

  function answerUse(): AnswerUse {
    const form = protocol.acquires.get(site);
    if (form === undefined || form.lost.length === 0) return { kind: 'none' };
    const dropped = isDropped();
    if (!dropped && isGivenAway()) return { kind: 'given-away' };
    const won = worlds.filter((w) => w.site === site && w.hold !== 'lost' && w.hold !== 'free');
    const lost = worlds.filter((w) => w.site === site && w.hold === 'lost' && w.env.has(site));
    const wonEffects = effects(won);
    for (const variant of form.lost) {
      if (variant.kind === 'unknown') return { kind: 'given-away' };
      const mine = lost.filter((w) => showValue(w.env.get(site) ?? variant) === showValue(variant));
      if (!dropped && mine.some(isUndecided)) return { kind: 'given-away' };
      const lostEffects = effects(mine);
      const heeded = callsOf(won).some((n) => !callsOf(mine).includes(n));
      const round = !dropped && throwsOnMiss(mine) ? loopAround(unit, site, graph.root) : undefined;
      const shared = [...wonEffects.keys()].filter((n) => lostEffects.has(n) && (round === undefined || (n.pos >= round.pos && n.end <= round.end)));
      // Some of the losers leave where no winner does: what lets the others go on, their own earlier try perhaps, is not known.
      if (!dropped && shared.length > 0 && mine.some((w) => w.at.kind === 'exit' && !won.some((v) => v.at.kind === 'exit' && exitNode(v) === exitNode(w)))) return { kind: 'given-away' };
      if (!heeded && shared.length > 0) {
        // What stands before the site runs in the next round of a loop.
        const effect = shared.sort((a, b) => Number(a.pos < site.pos) - Number(b.pos < site.pos) || a.pos - b.pos)[0];
        const world = effect === undefined ? undefined : lostEffects.get(effect);
        return { kind: dropped ? 'dropped' : 'misread', effect, world, ...(!dropped && onlyWinners(won, mine, ({ kind, node }) => (kind === 'call' || kind === 'assign') && node !== undefined && node.pos >= site.end) && { noted: true as const }) };
      }
      const again = repeatedEffect(wonEffects, lostEffects);
      if (again !== undefined) return { kind: 'repeated', effect: again, world: lostEffects.get(again) };
      // Only the refused one frees the lock: the test is the wrong way round.
      const inverted = !heeded && wonEffects.size === 0 && lostEffects.size > 0 ? releaseOfLosers(won, mine) : undefined;
      if (inverted !== undefined) return { kind: 'misread', effect: [...lostEffects.keys()].sort((a, b) => a.pos - b.pos)[0], world: inverted };
      // Only the refused one works, as behind an inverted test: what that work is for is not in sight.
      if (!heeded && wonEffects.size === 0 && lostEffects.size > 0 && !tellsCaller(won, mine)) return { kind: 'given-away' };
      if (!heeded && wonEffects.size === 0 && sameExits(won, mine, dropped) && !onlyWinners(won, mine, ({ kind, node }) => kind === 'call' && node !== undefined && changesCollection(unit, node))) return { kind: dropped ? 'dropped' : 'misread', effect: undefined, world: mine.find((w) => w.at.kind === 'exit') };
    }
    return { kind: 'heeded' };
  }

  /** A loser throws by a test of the answer: its round of a loop ends there, and what comes after the loop hangs on no single round. */
  function throwsOnMiss(lost: readonly World[]): boolean {
    const isTested = (n: ts.Node | undefined): boolean => n !== undefined && n !== graph.root && (ts.isIfStatement(n) ? mentionsAnswer(n.expression) : isTested(n.parent));
    return lost.some((w) => w.at.kind === 'throw' && isTested(w.at.node));
  }

  /** A loser at a release that no winner comes to. */
  function releaseOfLosers(won: readonly World[], lost: readonly World[]): World | undefined {
    const frees = (w: World): boolean => w.at.kind === 'call' && w.at.node !== undefined && protocol.releases.has(w.at.node);
    return won.some(frees) ? undefined : lost.find(frees);
  }

  /** A test that looks at the answer and whose outcome this analysis does not know: `if (row.owner === me)`. */
  function isUndecided(world: World): boolean {
    const { at, env } = world;
    const tested = at.node;
    if (at.kind !== 'test' || at.asks !== 'truthy' || tested === undefined || ts.isStatement(tested) || !mentionsAnswer(tested)) return false;
    return truthOf(evaluate(unit, env, tested as ts.Expression)) === undefined;
  }

  function mentionsAnswer(node: ts.Node): boolean {
    if (node === site || (ts.isIdentifier(node) && isResultName(node))) return true;
    return ts.forEachChild(node, (child) => (mentionsAnswer(child) ? true : undefined)) === true;
  }

  function isDropped(): boolean {
    if (!isExpression(site)) return false;
    const whole = gathered(answerOf(unit, site));
    return ts.isExpressionStatement(whole.parent) || ts.isVoidExpression(whole);
  }

  /** `await Promise.all([claim(), other()])`: the list is what the answer becomes. */
  function gathered(e: ts.Expression): ts.Expression {
    const call = ts.isArrayLiteralExpression(e.parent) ? e.parent.parent : undefined;
    return call !== undefined && ts.isCallExpression(call) && /^Promise\.all(?:Settled)?$/.test(call.expression.getText(unit.file)) ? wholeValue(unit, call) : e;
  }

  function isExpression(node: ts.Node): node is ts.Expression {
    return ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node);
  }

  /** The answer goes to a call, a property or an inner function that may decide on it. */
  function isGivenAway(): boolean {
    if (isMixedIn()) return true;
    if (names.size === 0 && isExpression(site)) {
      const p = wholeValue(unit, site).parent;
      // `[row] = await claim()`, `this.row = await claim()`
      if (ts.isBinaryExpression(p) && p.operatorToken.kind === ts.SyntaxKind.EqualsToken) return true;
    }
    let away = false;
    const visit = (n: ts.Node, inner: boolean): void => {
      if (away) return;
      if (ts.isIdentifier(n) && isResultName(n) && !ts.isVariableDeclaration(n.parent) && !ts.isBindingElement(n.parent)) {
        if (inner || isArgument(n)) away = true;
      }
      ts.forEachChild(n, (child) => visit(child, inner || (ts.isFunctionLike(child) && child !== graph.root)));
    };
    visit(graph.root, false);
    return away;
  }

  /** The answer has no name and becomes a part of another value at once. */
  function isMixedIn(): boolean {
    return names.size === 0 && isExpression(site) && goesElsewhere(unit, site);
  }

  function isArgument(id: ts.Identifier): boolean {
    const whole = wholeValue(unit, id);
    const p = whole.parent;
    // One of several promises that are waited for together.
    if (ts.isArrayLiteralExpression(p)) return true;
    if (ts.isCallExpression(p) && p.arguments.includes(whole)) return !isHarmless(unit, p) && !['Boolean', 'Number', 'String'].includes(calledName(unit, p)) && !protocol.releases.has(p);
    return false;
  }

  /** All that is called on some of the paths, logging and the lock's own calls aside: what only winners call shows that the answer is heeded. */
  function callsOf(some: readonly World[]): readonly ts.Node[] {
    const calls = some.flatMap((w) => (w.at.kind === 'call' && w.at.node !== undefined && w.at.node !== site ? [w.at.node] : []));
    return [...new Set(calls)].filter((n) => !protocol.releases.has(n) && !cannotThrow(unit, n));
  }

  /** Only winners come to some such step: they log it, or add to a collection. */
  function onlyWinners(won: readonly World[], lost: readonly World[], isMeant: (at: World['at']) => boolean): boolean {
    const steps = (some: readonly World[]): ReadonlySet<ts.Node | undefined> => new Set(some.filter((w) => isMeant(w.at)).map((w) => w.at.node));
    const losers = steps(lost);
    return [...steps(won)].some((n) => n !== undefined && !losers.has(n));
  }

  function effects(some: readonly World[]): Map<ts.Node, World> {
    const found = new Map<ts.Node, World>();
    for (const world of some) {
      const node = world.at.node;
      if (world.at.kind !== 'call' || node === undefined || found.has(node) || node === site) continue;
      // What stands before the call, or builds it, is reached again only by the next round of a loop, which asks anew.
      if (node.end <= site.end) continue;
      if (protocol.acquires.has(node) || protocol.releases.has(node) || isHarmless(unit, node) || protocol.isGuarded?.(node) === true || isOnKeyOfSite(node) || isCleanup(unit, node) || inCatchOrFinally(node) || computes(unit, node)) continue;
      found.set(node, world);
    }
    return found;
  }

  /** `redis.expire(key, ttl)` beside `redis.setnx(key, id)`: the upkeep of the lock's own key is no work. */
  function isOnKeyOfSite(node: ts.Node): boolean {
    if (!ts.isCallExpression(site) || !ts.isCallExpression(node) || !ts.isPropertyAccessExpression(site.expression) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const [key, own] = [node.arguments[0], site.arguments[0]];
    if (key === undefined || own === undefined || !/^p?expire(?:at)?$|^persist$/i.test(node.expression.name.text)) return false;
    return key.getText(unit.file) === own.getText(unit.file) && node.expression.expression.getText(unit.file) === site.expression.expression.getText(unit.file);
  }

  /** The loser runs the work that was handed to the function, as the winner does under the lock. Functions of the file are read often for other ends. */
  function repeatedEffect(won: ReadonlyMap<ts.Node, World>, lost: ReadonlyMap<ts.Node, World>): ts.Node | undefined {
    for (const node of lost.keys()) {
      if (won.has(node) || !ts.isCallExpression(node) || !isParameter(node.expression)) continue;
      const name = node.expression.getText(unit.file);
      if ([...won.keys()].some((other) => ts.isCallExpression(other) && other.expression.getText(unit.file) === name)) return node;
    }
    return undefined;
  }

  function isParameter(callee: ts.Expression): boolean {
    const e = bare(unit, callee);
    return ts.isIdentifier(e) && unit.scopes.resolve(e)?.kind === 'param';
  }

  /** What an answer that is never looked at cannot change may be unknown. */
  function sameExits(won: readonly World[], lost: readonly World[], dropped: boolean): boolean {
    const show = (some: readonly World[]): string => [...new Set(some.flatMap((w) => (w.at.kind === 'exit' ? [showExit(w.returned)] : w.at.kind === 'throw-exit' && explicitThrow(w) ? ['throw'] : [])))].sort().join();
    const [a, b] = [show(won), show(lost)];
    return a !== '' && a === b && (dropped || !a.includes('?'));
  }

  /** The caller learns who won: the winner's value is true, the loser's is not, or it throws. */
  function tellsCaller(won: readonly World[], lost: readonly World[]): boolean {
    const truths = (some: readonly World[]): readonly (boolean | undefined)[] => some.filter((w) => w.at.kind === 'exit').map((w) => (w.returned === undefined ? false : truthOf(w.returned)));
    return truths(won).every((t) => t !== false) && truths(lost).every((t) => t === false);
  }

  function explicitThrow(world: World): boolean {
    for (let w: World | undefined = world; w?.from !== undefined; w = w.from) if (w.via === 'throw') return w.from.at.kind === 'throw';
    return false;
  }

  function unheldReleases(): Map<ts.Node, World> {
    const found = new Map<ts.Node, World>();
    for (const world of worlds) {
      const node = world.at.node;
      if (world.at.kind !== 'call' || node === undefined || !protocol.releases.has(node) || found.has(node)) continue;
      if (world.hold === 'free' || world.hold === 'lost') found.set(node, world);
    }
    return found;
  }
}

function showExit(value: Value | undefined): string {
  return value === undefined ? 'undefined' : showValue(value);
}
