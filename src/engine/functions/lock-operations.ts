import type ts from 'typescript';
import { namesModelled } from '../operations/lock-modelled.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { sameTerm } from '../syntax/compare-terms.js';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { acquireSummary, type BodyOperations } from './acquire-summary.js';
import { wrapperCalls, type WrapperCall } from './called-function.js';
import { fileOperations } from './file-operations.js';
import { giveBackSummary } from './give-back-summary.js';
import { grantCalls } from './grant-calls.js';
import { NO_GRANT, type FunctionSummary, type Grant, type ReadableFunction } from './summary.js';
import { answerNames, wrapperOperation } from './wrapper-operation.js';
import { Kept, KeptByName } from '../kept.js';

/** Wrappers of wrappers of wrappers are followed, and no further: recursion ends here too. */
const LEVELS = 2;

/** All lock operations of a file in the order of the text: those it shows by itself, and calls of functions that take, free or prolong a lock (evidence `body`). */
export function lockOperations(unit: Unit): readonly Operation[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const all = operationsWithin(unit, unit.file, LEVELS).all;
  known.set(unit, all);
  return all;
}

const known = new Kept<Unit, readonly Operation[]>();

/** What a call of a function does to a lock; undefined when nothing, or when it cannot be told. */
export function summaryOf(target: ReadableFunction, level = LEVELS): FunctionSummary | undefined {
  let levels = summaries.get(target.unit);
  if (levels === undefined) summaries.set(target.unit, (levels = Array.from({ length: LEVELS + 1 }, () => new KeptByName<ts.Node, FunctionSummary | undefined>())));
  const held = levels[level];
  if (held === undefined || held.has(target.fn)) return held?.get(target.fn);
  const body = operationsWithin(target.unit, target.fn, level - 1);
  const acquire = body.all.length === 0 ? undefined : acquireSummary(target, body);
  const summary = acquire === undefined ? giveBackSummary(target, body.all) : ({ kind: 'acquire', ...acquire } as const);
  held.set(target.fn, summary);
  return summary;
}

const summaries = new Kept<Unit, Map<ts.Node, FunctionSummary | undefined>[]>();

/** Whether the text of a function of another file speaks of locks or their commands. Asked first: it spares reading the operations of that file. */
function mayOperate({ unit, fn }: ReadableFunction): boolean {
  const text = fn.getFullText(unit.file);
  return /(?<![bc])lock|(?<!re)lease|mutex|acquire|semaphore|claim|renew|exclusive|release|\bnx\b|setnx|\bdel\b|unlink|eval|expire/i.test(text) || namesModelled(unit, text);
}

function operationsWithin(unit: Unit, root: ts.Node, level: number): BodyOperations {
  const isWithin = (node: ts.Node): boolean => node.pos >= root.pos && node.end <= root.end;
  const found = new Map<ts.Node, Operation>(fileOperations(unit).all.filter((o) => isWithin(o.node)).map((o) => [o.node, o]));
  const grants = new Map<ts.Node, Grant>();
  if (level >= 0) addWrapperCalls();
  return { all: linked(unit, [...found.values()].sort((a, b) => a.node.pos - b.node.pos || b.node.end - a.node.end)), grantAt: (node) => grants.get(node) ?? NO_GRANT };

  function addWrapperCalls(): void {
    const wrappers = wrapperCalls(unit);
    // In the order of the text: those of one function stand together.
    for (let at = firstFrom(wrappers, root.pos); at < wrappers.length; at++) {
      const wrapper = wrappers[at];
      if (wrapper === undefined || wrapper.call.pos > root.end) break;
      const { call } = wrapper;
      // A declaration or a library says more than a body; a name says less.
      const shown = found.get(call);
      if (!isWithin(call) || (shown !== undefined && shown.evidence !== 'name')) continue;
      const summary = wrapper.called.unit === unit || mayOperate(wrapper.called) ? summaryOf(wrapper.called, level) : undefined;
      const operation = summary && wrapperOperation(unit, wrapper, summary);
      if (summary === undefined || operation === undefined) continue;
      found.set(call, operation);
      if (operation.kind !== 'acquire' || summary.kind !== 'acquire') continue;
      grants.set(call, summary.grant);
      for (const release of grantCalls(unit, operation, summary.grant)) if (isWithin(release.node) && !found.has(release.node)) found.set(release.node, release);
    }
  }
}

/** The index of the first call that begins at a position or behind it. */
function firstFrom(wrappers: readonly WrapperCall[], pos: number): number {
  let low = 0;
  let high = wrappers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((wrappers[middle]?.call.pos ?? 0) < pos) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `releaseLock(handle)` speaks of the lock that gave the handle. */
function linked(unit: Unit, all: readonly Operation[]): readonly Operation[] {
  const answers = new Map<AcquireOperation, readonly Term[]>();
  return all.map((o) => {
    if (o.evidence !== 'body' || o.kind === 'acquire' || !('handle' in o) || o.handle === undefined || o.link !== 'handle') return o;
    const { handle } = o;
    const from = all.find((a): a is AcquireOperation => a.kind === 'acquire' && answersOf(a).some((answer) => sameTerm(answer, handle)));
    return from === undefined ? o : { ...o, key: from.key };
  });

  function answersOf(acquire: AcquireOperation): readonly Term[] {
    let terms = answers.get(acquire);
    if (terms === undefined) answers.set(acquire, (terms = [...answerNames(unit, acquire.node).keys()].map((name) => termOf(unit, name.id))));
    return terms;
  }
}
