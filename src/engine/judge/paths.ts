import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { lockPaths, type AnswerUse, type LockPaths } from '../flow/lock-paths.js';
import { resultNames } from '../flow/result-names.js';
import type { Protocol, World } from '../flow/simulate.js';
import { ACQUIRE_WORDS, witnessOf, WRITE_WORDS, type StartWords } from '../flow/witness.js';
import { graphOf } from '../functions/function-graph.js';
import { returnOf } from '../functions/wrapper-form.js';
import { lockNamer } from '../functions/names-lock.js';
import { isUnderOwnerTest } from '../operations/lock-compared.js';
import type { AcquireOperation, Operation, ReleaseOperation } from '../operations/operation.js';
import type { ResultForm } from '../operations/result-form.js';
import type { Value } from '../operations/value.js';
import type { Place, WitnessStep } from '../place.js';
import { bare, enclosingFunction, wholeValue } from '../syntax/expression.js';
import { shownCall, shownCode } from '../syntax/shown-code.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { collectionsIn, handedBy } from './handed-on.js';
import { openConnection } from './open-connection.js';
import { sessionLeft } from './session-left.js';
import { partialAcquire } from './several-locks.js';

/** What becomes of an answer that tells won from lost. */
export interface AnswerPaths {
  readonly use: AnswerUse['kind'];
  /** For an answer that is dropped, misread or followed by the same work: the path of the loser. */
  readonly loser: Loser | undefined;
}
export interface Loser {
  readonly at: Place;
  /** The work it runs all the same; empty where there is none. */
  readonly effect: string;
  /** That work is a statement which deletes rows. */
  readonly deletes: boolean;
  /**
   * `next-round`: the work stands before the site, so that a loop comes to it with other rows. `answer`: what it gives is what the function answers.
   * `same-batch`: it is sent in one list with the site, so that nobody can ask in between. `after-catch`: the site stands in a catch clause, and what both come to lies past it.
   */
  readonly when: 'after' | 'next-round' | 'answer' | 'same-batch' | 'after-catch';
  readonly witness: readonly WitnessStep[];
  /** The value that is returned as true to winners and losers alike, though it is made of the answer: `info !== undefined`. */
  readonly told?: string;
  /** Winners alone log or note it: the two were told apart, and what both do may be meant so. */
  readonly noted?: true;
}

/** What the paths of a function say of one acquire, as a rule reads it. */
export interface AcquirePaths {
  /** The exit that leaves the lock until its TTL. */
  readonly leak: { readonly at: Place; readonly by: 'return' | 'throw'; readonly witness: readonly WitnessStep[] } | undefined;
  /** Where one refusal leaves the other locks of a set. */
  readonly partial: { readonly at: Place; readonly witness: readonly WitnessStep[] } | undefined;
  /** The return that forgets the connection the lock is taken on. */
  readonly open: { readonly at: Place; readonly witness: readonly WitnessStep[] } | undefined;
  /** Where a pooled connection is given back with the lock of its session still on it. */
  readonly session: { readonly at: Place; readonly witness: readonly WitnessStep[] } | undefined;
  /** Some path of the function gives the lock away: its caller has to free it, or its TTL does. */
  readonly handedOver: boolean;
  readonly answer: AnswerUse['kind'];
  /** As in `AnswerPaths`. */
  readonly loser: Loser | undefined;
}

/** Where a release stands on the paths of its function. `elsewhere`: the function does not take the lock. */
export type ReleasePaths = { readonly kind: 'always-held' | 'elsewhere' | 'unknown' } | { readonly kind: 'unheld'; readonly witness: readonly WitnessStep[] };

interface StepWords { readonly start: StartWords; readonly answer: string; readonly nobody: string; readonly effect: string }
const LOCK_STEP: StepWords = { start: ACQUIRE_WORDS, answer: 'the answer says who has the lock', nobody: 'nobody learns who has the lock', effect: 'runs without the lock' };
const WRITE_STEP: StepWords = { start: WRITE_WORDS, answer: 'the answer says whether the write hit', nobody: 'nobody learns that it missed', effect: 'runs although the write missed' };

/** Judges paths on demand, each function's graph built once. */
export interface PathFinder {
  acquire(acquire: AcquireOperation, releases: readonly ReleaseOperation[]): AcquirePaths | undefined;
  release(release: ReleaseOperation, acquires: readonly AcquireOperation[]): ReleasePaths;
  /** The answer of a guarded write. */
  answer(write: AcquireOperation['node'], result: ResultForm): AnswerPaths | undefined;
}

/** The path finder of one file, given all its lock operations. Functions that are too large give no answer. */
export function pathFinder(unit: Unit, all: readonly Operation[]): PathFinder {
  const { ts } = unit;
  const lockCalls = new Set<ts.Node>(all.map((o) => o.node));

  return {
    acquire(acquire, releases) {
      const fn = enclosingFunction(unit, acquire.node);
      const graph = graphOf(unit, fn);
      const found = graph && lockPaths(unit, graph, acquire.node, protocolOf([acquire], inside(fn, releases)));
      return found && { ...described(acquire, found), partial: partialOf(acquire), open: openOf(acquire), session: sessionOf(acquire) };
    },
    release(release, acquires) {
      const fn = enclosingFunction(unit, release.node);
      const here = inside(fn, acquires);
      const first = here[0];
      if (first === undefined) return { kind: 'elsewhere' };
      const graph = graphOf(unit, fn);
      const found = graph && lockPaths(unit, graph, first.node, protocolOf(here, [release]));
      if (found === undefined) return { kind: 'unknown' };
      const world = found.unheld.get(release.node);
      // A loser whose answer is not known may be told from the winner on the way here.
      if (world?.hold === 'lost' && here.some((a) => a.result.lost.some(isOpen))) return { kind: 'unknown' };
      return world === undefined ? { kind: 'always-held' } : { kind: 'unheld', witness: unheldWitness(world, first, release) };
    },
    answer(write, result) {
      const graph = graphOf(unit, enclosingFunction(unit, write));
      const protocol: Protocol = { acquires: new Map([[write, result]]), releases: new Set(), escapes: () => false, recalls: () => false, isGuarded: comparesItself };
      const found = graph && lockPaths(unit, graph, write, protocol);
      return found && { use: found.answer.kind, loser: 'effect' in found.answer ? loserOf({ node: write }, found.answer, WRITE_STEP) : undefined };
    },
  };

  /** A statement that compares the state itself hits nothing when its turn is over, and a query changes nothing; what builds a statement is a part of it. */
  function comparesItself(node: ts.Node): boolean {
    const { accesses, transitions } = fileTransitions(unit);
    const [statement] = accesses.filter((a) => a.kind !== 'transaction' && within(node, a.node)).sort((a, b) => a.node.end - a.node.pos - (b.node.end - b.node.pos));
    if (statement === undefined || isHandedFunction(node, statement.node)) return false;
    if (statement.kind === 'read') return true;
    const found = transitions.find((t) => t.write === statement);
    return found !== undefined && typeof found.grade.grade === 'number' && found.grade.grade >= 3;
  }

  /** In a function that the statement is handed. */
  function isHandedFunction(node: ts.Node, statement: ts.Node): boolean {
    for (let n = node; n !== statement && n.parent; n = n.parent) if (ts.isFunctionLike(n)) return true;
    return false;
  }

  function unheldWitness(world: World, acquire: AcquireOperation, release: ReleaseOperation): WitnessStep[] {
    return witnessOf(unit, world, acquire.node, { node: release.node, role: 'release', note: 'runs although this call does not hold the lock' });
  }

  function inside<Op extends { readonly node: ts.Node }>(fn: ts.Node, some: readonly Op[]): Op[] {
    return some.filter((o) => enclosingFunction(unit, o.node) === fn);
  }

  function protocolOf(acquires: readonly AcquireOperation[], releases: readonly ReleaseOperation[]): Protocol {
    const namesLock = lockNamer(unit, acquires);
    const sites = new Map(acquires.map((a) => [a.node as ts.Node, a.result]));
    const freed = new Set<ts.Node>(releases.map((r) => r.node));
    const collections = collectionsIn(unit, acquires[0]?.node, namesLock);
    return {
      acquires: sites,
      releases: freed,
      // Whoever gets the owner token, or the handle, may free the lock.
      escapes: (node) => !lockCalls.has(node) && !collections.isPut(node) && handedBy(unit, node).some((a) => namesLock(a) || isLaterRelease(a)),
      keeps: (node) => collections.isPut(node) && collections.isRead(node),
      recalls: (node) => collections.isTakenBack(node),
      asksOwner: (condition) => releases.some((r) => r.ownerCheck === 'none' && isTestOf(condition, r)),
    };
  }

  /** `if ((await client.get(key)) === token) await client.del(key)`. */
  function isTestOf(condition: ts.Node, release: ReleaseOperation): boolean {
    for (let n: ts.Node = release.node; n.parent && !ts.isFunctionLike(n); n = n.parent) {
      if (ts.isIfStatement(n.parent) && n.parent.thenStatement === n && within(condition, n.parent.expression)) return isUnderOwnerTest(unit, release.node, release.key);
    }
    return false;
  }

  /** A function that is handed over and frees the lock when it is called. */
  function isLaterRelease(argument: ts.Expression): boolean {
    const e = bare(unit, argument);
    return (ts.isArrowFunction(e) || ts.isFunctionExpression(e)) && all.some((o) => o.kind === 'release' && o.node.pos >= e.pos && o.node.end <= e.end);
  }

  function partialOf(acquire: AcquireOperation): AcquirePaths['partial'] {
    const found = partialAcquire(unit, acquire, all);
    if (found === undefined) return undefined;
    const { node, world } = found;
    const end = { node, role: 'exit' as const, note: 'one lock is refused, and those that were taken before it stay' };
    const at = unit.placeOf(node);
    return { at, witness: world === undefined ? [{ place: at, role: 'acquire', note: 'takes one lock of several' }, { place: at, role: end.role, note: end.note }] : witnessOf(unit, world, acquire.node, end) };
  }

  function openOf(acquire: AcquireOperation): AcquirePaths['open'] {
    const found = openConnection(unit, acquire, all);
    if (found === undefined) return undefined;
    const end = { node: found.node, role: 'exit' as const, note: 'leaves, and the connection stays checked out' };
    const [taken, ...rest] = witnessOf(unit, found.world, found.site, end);
    const lock: WitnessStep = { place: unit.placeOf(acquire.node), role: 'acquire', note: 'asks for the lock on it' };
    return { at: unit.placeOf(found.node), witness: [...(taken === undefined ? [] : [{ ...taken, note: 'the connection is checked out' }]), lock, ...rest] };
  }

  function sessionOf(acquire: AcquireOperation): AcquirePaths['session'] {
    const left = sessionLeft(unit, acquire, all);
    const at = left && unit.placeOf(left);
    return at && { at, witness: [{ place: unit.placeOf(acquire.node), role: 'acquire', note: 'locks the session of this connection' }, { place: at, role: 'exit', note: 'goes back to the pool, and the lock with it' }] };
  }

  function described(acquire: AcquireOperation, paths: LockPaths): Omit<AcquirePaths, 'partial' | 'open' | 'session'> {
    const { answer } = paths;
    // Where nobody knows what a granted acquire answers, the path that leaves may be the loser's.
    const isUnclear = paths.leak !== undefined && acquire.result.won.some(isOpen);
    const leak = isUnclear ? undefined : paths.leak;
    const handedOver = isUnclear || paths.handedOver;
    return {
      leak: leak && {
        at: unit.placeOf(leak.node),
        by: leak.by,
        witness: witnessOf(unit, leak.world, acquire.node, { node: leak.node, role: 'exit', note: leak.by === 'throw' ? 'throws here, and nothing frees the lock' : 'leaves, and the lock stays' }),
      },
      handedOver,
      answer: answer.kind,
      loser: 'effect' in answer ? loserOf(acquire, answer, LOCK_STEP) : undefined,
    };
  }

  function loserOf(acquire: Pick<AcquireOperation, 'node'>, answer: AnswerUse & { readonly kind: 'dropped' | 'misread' | 'repeated' }, words: StepWords): Loser {
    const { effect, world, kind } = answer;
    const place = unit.placeOf(acquire.node);
    const end = effect === undefined ? { node: acquire.node, role: 'exit' as const, note: words.nobody } : { node: effect, role: 'call' as const, note: words.effect };
    const witness = world === undefined ? [{ place, role: words.start.role, note: words.answer }] : witnessOf(unit, world, acquire.node, end, words.start);
    const at = kind === 'repeated' && effect !== undefined ? unit.placeOf(effect) : kind === 'misread' ? (testOf(acquire) ?? place) : place;
    const told = kind === 'misread' && effect === undefined && world !== undefined ? toldTrue(acquire.node, world) : undefined;
    return { at, effect: effect === undefined ? '' : shownEffect(effect), deletes: effect !== undefined && fileTransitions(unit).accesses.some((a) => a.kind === 'write' && a.verb === 'delete' && within(effect, a.node)), when: whenRuns(acquire.node, effect), witness, ...(told !== undefined && { told }), ...(answer.noted === true && { noted: true as const }) };
  }

  /** `return info !== undefined`: the caller of a loser hears the same yes. */
  function toldTrue(site: ts.Node, world: World): string | undefined {
    if (world.returned?.kind !== 'const' || world.returned.value !== true) return undefined;
    const value = returnOf(unit, world)?.value;
    const names = resultNames(unit, site);
    const isMade = (n: ts.Node): boolean => {
      const binding = ts.isIdentifier(n) ? unit.scopes.resolve(n) : undefined;
      return n === site || (binding !== undefined && names.has(binding)) || ts.forEachChild(n, (child) => (isMade(child) ? true : undefined)) === true;
    };
    return value !== undefined && isMade(value) ? shownCode(value.getText(unit.file), 36) : undefined;
  }

  function shownEffect(effect: ts.Node): string {
    const text = effect.getText(unit.file);
    return ts.isCallExpression(effect) ? shownCall(text, effect.expression.getText(unit.file), 36) : shownCode(text, 36);
  }

  function within(node: ts.Node, outer: ts.Node): boolean {
    return node.pos >= outer.pos && node.end <= outer.end;
  }

  function whenRuns(site: ts.Node, effect: ts.Node | undefined): Loser['when'] {
    if (effect === undefined) return 'after';
    const batch = ts.isArrayLiteralExpression(site.parent) ? site.parent.parent : undefined;
    if (batch !== undefined && ts.isCallExpression(batch) && /^\$?(?:transaction|batch)$/.test(calledName(unit, batch)) && within(effect, batch)) return 'same-batch';
    if (effect.pos < site.pos) return 'next-round';
    for (let n = site; n.parent && !ts.isFunctionLike(n); n = n.parent) if (ts.isCatchClause(n) && !within(effect, n)) return 'after-catch';
    return ts.isCallExpression(effect) && ts.isReturnStatement(wholeValue(unit, effect).parent) ? 'answer' : 'after';
  }

  /** The first place that looks at the answer. */
  function testOf(acquire: Pick<AcquireOperation, 'node'>): Place | undefined {
    const names = resultNames(unit, acquire.node);
    if (names.size === 0) return unit.placeOf(wholeValue(unit, acquire.node));
    let found: ts.Node | undefined;
    const visit = (n: ts.Node): void => {
      if (found !== undefined || n.end < acquire.node.end) return;
      if (ts.isIdentifier(n) && n.pos > acquire.node.end) {
        const binding = unit.scopes.resolve(n);
        if (binding !== undefined && names.has(binding)) found = n;
      }
      ts.forEachChild(n, visit);
    };
    visit(enclosingFunction(unit, acquire.node));
    return found && unit.placeOf(found);
  }
}

function isOpen(value: Value): boolean {
  return value.kind === 'unknown';
}
