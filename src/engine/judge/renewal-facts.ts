import { sameKey } from '../operations/lock-keys.js';
import type { ExtendOperation, Operation, OverwriteOperation } from '../operations/operation.js';
import type { Place } from '../place.js';
import { enclosingFunction } from '../syntax/expression.js';
import { walkTerm } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { extendAnswer, type ExtendAnswer } from '../time/extend-answer.js';
import { isHandedOn, renewalTimer, timerLeak, type RenewalTimer } from '../time/renewal-timer.js';
import { isAgain } from '../time/renewed.js';
import { stopAtHand } from '../time/stop-at-hand.js';
import { earlyStop } from '../time/stop-order.js';

/** What the code tells of one renewal, for a rule. */
export interface RenewalFacts {
  /** What becomes of a failure, and where that shows; undefined for a plain write, which asks nothing. */
  readonly answer: { readonly kind: ExtendAnswer['kind']; readonly place: Place } | undefined;
  /** For an answer that is only told: where this class stops the work of a lock, which the renewal could do too. */
  readonly stop: Place | undefined;
  /** The timer that runs it again and again. */
  readonly timer: TimerFacts | undefined;
  /** It runs in a loop or by a timer. */
  readonly again: boolean;
}
export interface TimerFacts {
  readonly place: Place;
  readonly kind: RenewalTimer['kind'];
  /** `handed-on`: other code gets it and may end it. */
  readonly handle: 'dropped' | 'kept' | 'handed-on';
  /** Where it is ended first. */
  readonly cleared: Place | undefined;
  /** A test besides the answer keeps a rearmed timer from going on. */
  readonly guarded: Place | undefined;
  /** As `guarded`, or asked before the renewal only. */
  readonly asked: Place | undefined;
  /** Set anew only when the renewal has answered. */
  readonly isAfterwards: boolean;
  readonly unref: boolean;
  /** A way out of its function that leaves it running. */
  readonly leak: { readonly place: Place; readonly by: 'return' | 'throw' } | undefined;
  /** It is ended before the work that it covers has ended. */
  readonly early: { readonly stop: Place; readonly wait: Place } | undefined;
  /** The lock ends while the process lives on: it is given back in this file, or it is one of many. */
  readonly ends: boolean;
}

export function renewalFacts(unit: Unit, operation: ExtendOperation | OverwriteOperation, all: readonly Operation[]): RenewalFacts {
  const answer = operation.kind === 'extend' ? extendAnswer(unit, operation) : undefined;
  const timer = renewalTimer(unit, operation.node);
  const stop = answer?.kind === 'told' ? stopAtHand(unit, operation.node) : undefined;
  return { answer: answer && { kind: answer.kind, place: unit.placeOf(answer.node) }, stop: stop && unit.placeOf(stop), timer: timer && timerFacts(unit, timer, operation, all), again: timer !== undefined || isAgain(unit, operation.node) };
}

function timerFacts(unit: Unit, timer: RenewalTimer, operation: Operation, all: readonly Operation[]): TimerFacts {
  const [first] = timer.clears;
  const [guard] = timer.rearming.guards;
  const [test] = timer.rearming.tests;
  const leak = timerLeak(unit, timer);
  const early = earlyStop(unit, timer);
  return {
    place: unit.placeOf(timer.call),
    kind: timer.kind,
    handle: timer.handle.kind === 'dropped' ? 'dropped' : isHandedOn(unit, timer) ? 'handed-on' : 'kept',
    cleared: first && unit.placeOf(first),
    guarded: guard && unit.placeOf(guard),
    asked: test && unit.placeOf(test),
    isAfterwards: timer.rearming.isAfterwards,
    unref: timer.unref,
    leak: leak && { place: unit.placeOf(leak.node), by: leak.by },
    early: early && { stop: unit.placeOf(early.stop), wait: unit.placeOf(early.wait) },
    ends: endsBefore(unit, timer, operation, all),
  };
}

/** A lease with a constant key that nothing gives back may be held for as long as the process lives. */
function endsBefore(unit: Unit, timer: RenewalTimer, operation: Operation, all: readonly Operation[]): boolean {
  if (all.some((o) => o.kind === 'release' && sameKey(o.key, operation.key))) return true;
  if (unit.ts.isSourceFile(enclosingFunction(unit, timer.call))) return false;
  let isOneOfMany = false;
  walkTerm(operation.key, (t) => {
    if (t.kind === 'symbol' && t.id !== 'this' && !t.id.startsWith('global:')) isOneOfMany = true;
  });
  return isOneOfMany;
}
