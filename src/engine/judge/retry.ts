import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { evaluate } from '../flow/evaluate.js';
import { simulate, type World } from '../flow/simulate.js';
import { witnessOf } from '../flow/witness.js';
import { graphOf } from '../functions/function-graph.js';
import type { AcquireOperation, ReleaseOperation } from '../operations/operation.js';
import type { ResultForm } from '../operations/result-form.js';
import { constant, truthOf, TRUTHY } from '../operations/value.js';
import type { Place, WitnessStep } from '../place.js';
import { enclosingFunction } from '../syntax/expression.js';
import { quotedCode } from '../syntax/shown-code.js';
import type { Unit } from '../syntax/unit.js';
import { limitOfCall, limitOfTest, type Limit } from './retry-limit.js';
import { endlessByLibrary } from './retry-library.js';
import { pauseAmong, type Pause } from './retry-pause.js';
import { retrySite, type RetrySite } from './retry-site.js';

/** How a refused worker tries again. */
export interface Retry {
  /** The keyword of the loop, or the call that starts the next try. */
  readonly at: Place;
  readonly kind: RetrySite['kind'] | 'library';
  readonly limit: Limit;
  /** What ends the tries, where that is neither their number nor a time; quoted. */
  readonly endedBy: string;
  readonly pause: Pause;
  readonly witness: readonly WitnessStep[];
  /** What the acquire answers is told by the code's own test alone. */
  readonly isGuessed?: boolean;
}

/** `opaque`: the acquire stands in a loop, but the answer is not known, so that nobody can tell a retry from the next piece of work. */
export type RetryFound = Retry | 'opaque' | undefined;

/**
 * The retry around one acquire: a refused worker comes back to it, and a granted one does not. A loop that goes on after a grant too serves one piece of work after the
 * other: no retry.
 */
export function retryOf(unit: Unit, acquire: AcquireOperation, releases: readonly ReleaseOperation[]): RetryFound {
  const { ts } = unit;
  const endless = endlessByLibrary(unit, acquire);
  if (endless !== undefined) return { ...endless, kind: 'library', limit: 'none', endedBy: '', pause: 'elsewhere' };
  const site = acquire.scope === 'manual' ? retrySite(unit, acquire) : undefined;
  if (site === undefined || ts.isForOfStatement(site.round) || ts.isForInStatement(site.round)) return undefined;
  // Where nobody knows the answer, the code's own test of it tells: what is true is a grant.
  const isGuessed = acquire.result.label === 'unknown';
  const result = isGuessed ? TRUE_WHEN_GRANTED : acquire.result;
  const found = retryWithin(unit, acquire, releases, site, result);
  if (found !== undefined) return isGuessed ? { ...found, isGuessed } : found;
  return isGuessed && site.kind === 'loop' ? 'opaque' : undefined;
}

const TRUE_WHEN_GRANTED: ResultForm = { label: 'true when granted', won: [TRUTHY], lost: [constant(false)], throwsWhenLost: true };

function retryWithin(unit: Unit, acquire: AcquireOperation, releases: readonly ReleaseOperation[], site: RetrySite, result: ResultForm): Retry | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  const graph = graphOf(unit, fn);
  const own = releases.filter((r) => enclosingFunction(unit, r.node) === fn);
  const worlds = graph && simulate(unit, graph, {
    acquires: new Map([[acquire.node, result]]), releases: new Set(own.map((r) => r.node)), escapes: () => false, recalls: () => false, testsAnew: true,
  });
  if (worlds === undefined) return undefined;
  const again = worlds.filter(startsNextTry);
  const granted = site.kind === 'interval' ? [] : again.filter((w) => w.hold === 'held' || w.hold === 'released' || w.hold === 'kept');
  const refused = again.find((w) => w.hold === 'lost' && wasRefused(w));
  if (granted.length > 0 || refused === undefined || (site.kind === 'interval' && !isClearedWhenGranted())) return undefined;
  const way = wayTo(refused);
  const ends = endsOf();
  const limit = limitAmong([...ends.map((e) => e.limit), ...way.map((n) => limitOfCall(unit, n, site.round)), ...(hasTimerBeside() ? ['bound' as const] : [])]);
  const head = site.kind === 'recursion' ? (refused.at.node ?? site.head) : site.head;
  return {
    at: unit.placeOf(head), kind: site.kind, limit, endedBy: ends.find((e) => e.limit === 'other')?.text ?? '', pause: site.kind === 'interval' ? 'fixed' : pauseAmong(unit, way, site.round, head),
    witness: witnessOf(unit, refused, acquire.node, { node: head, role: 'call', note: 'asks again' }),
  };

  function startsNextTry(w: World): boolean {
    if (w.site !== acquire.node) return false;
    if (site.kind === 'interval') return w.at.kind === 'exit';
    if (w.at.kind !== 'call' || w.at.node === undefined) return false;
    return site.kind === 'loop' ? w.at.node === acquire.node : site.recalls.includes(w.at.node);
  }

  /** The steps since the last answer, latest first. */
  function* since(world: World): Generator<World> {
    for (let w: World | undefined = world; w?.from !== undefined; w = w.from) {
      yield w;
      if (isAnswer(w.from.at.node) && w.from.at.kind !== 'test' && (w.from.hold !== w.hold || w.from.at.kind === 'await' || !isAwaited())) return;
    }
  }

  function isAnswer(node: ts.Node | undefined): boolean {
    return node === acquire.node || (node !== undefined && ts.isAwaitExpression(node) && node.expression === acquire.node);
  }

  function isAwaited(): boolean {
    return ts.isAwaitExpression(acquire.node.parent);
  }

  /** The acquire said no. Where it says so by a value, an exception is a failure of the store. */
  function wasRefused(world: World): boolean {
    const first = [...since(world)].at(-1);
    return first !== undefined && (first.via !== 'throw' || result.throwsWhenLost);
  }

  function wayTo(world: World): ts.Node[] {
    return [...since(world)].flatMap((w) => {
      const { node, kind } = w.at;
      return node !== undefined && (kind === 'call' || kind === 'await') && !isAnswer(node) ? [node] : [];
    });
  }

  /** What can end the tries of a worker that is refused each time. */
  function endsOf(): { readonly limit: Limit; readonly text: string }[] {
    const found = new Map<ts.Node, { readonly limit: Limit; readonly text: string }>();
    for (const w of worlds ?? []) {
      const isFirst = site.kind === 'recursion' && w.hold === 'free';
      if (!isFirst && (w.hold !== 'lost' || w.site !== acquire.node)) continue;
      if (!leaves(w) || (!isFirst && !wasRefused(w))) continue;
      const tests = [...since(w)].flatMap((s) => (s.from === undefined || s.from.at.kind !== 'test' || s.from.at.node === undefined || !isOpen(s.from) ? [] : [s.from.at.node]));
      const limits = tests.map((node) => ({ node, limit: limitOfTest(unit, node, site.round) }));
      const bound = limits.find((l) => l.limit === 'bound');
      const other = limits.find((l) => l.limit === 'other');
      if (bound !== undefined) found.set(bound.node, { limit: 'bound', text: '' });
      // A check of the arguments before the first try ends nothing.
      else if (other !== undefined && !isFirst) found.set(other.node, { limit: 'other', text: quotedCode(other.node.getText(unit.file), 40) });
    }
    return [...found.values()];
  }

  /** The step that leaves the tries by the code's own decision: an error of the store is none. */
  function leaves(w: World): boolean {
    if (w.from === undefined) return false;
    if (site.kind === 'interval') return w.at.kind === 'call' && w.at.node !== undefined && calledName(unit, w.at.node) === 'clearInterval';
    const isOut = w.at.kind === 'exit' || w.at.kind === 'throw-exit' || (w.at.node !== undefined && !within(w.at.node, site.round));
    if (!isOut || !comesFromRound(w)) return false;
    return w.via !== 'throw' || w.from.at.kind === 'throw';
  }

  /** The step before stands in the round; joins have no place of their own. */
  function comesFromRound(world: World): boolean {
    if (site.kind !== 'loop') return world.hold === 'free' || ![...since(world)].some((w) => w.at.node !== undefined && site.recalls.includes(w.at.node));
    for (let w = world.from; w !== undefined; w = w.from) {
      if (w.at.node !== undefined) return within(w.at.node, site.round);
      if (w.at.kind === 'exit' || w.at.kind === 'throw-exit') return false;
    }
    return false;
  }

  function isOpen({ at, env }: World): boolean {
    const { node } = at;
    return node === undefined || at.asks === 'next' || !isExpression(node) || truthOf(evaluate(unit, env, node)) === undefined;
  }

  function isExpression(node: ts.Node): node is ts.Expression {
    return !ts.isStatement(node) && !ts.isParameter(node) && !ts.isBindingElement(node);
  }

  function isClearedWhenGranted(): boolean {
    return (worlds ?? []).some((w) => w.hold !== 'lost' && w.site === acquire.node && w.at.kind === 'call' && w.at.node !== undefined && calledName(unit, w.at.node) === 'clearInterval');
  }

  /** A second timer of the code around it, which gives up: `setTimeout(() => reject(..), waitMs)`. */
  function hasTimerBeside(): boolean {
    if (site.kind === 'loop') return false;
    const outer = enclosingFunction(unit, fn);
    let found = false;
    const visit = (n: ts.Node): void => {
      if (n === fn || found) return;
      if (ts.isCallExpression(n) && calledName(unit, n) === 'setTimeout' && n.arguments.length > 1 && !within(fn, n)) found = true;
      ts.forEachChild(n, visit);
    };
    if (!ts.isSourceFile(outer)) visit(outer);
    return found;
  }
}

function limitAmong(limits: readonly Limit[]): Limit {
  return limits.includes('bound') ? 'bound' : limits.includes('other') ? 'other' : 'none';
}

function within(node: ts.Node, outer: ts.Node): boolean {
  return node.pos >= outer.pos && node.end <= outer.end;
}
