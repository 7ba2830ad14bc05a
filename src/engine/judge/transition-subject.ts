import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import type { Transition } from '../targets/transition.js';
import type { LockOfWrite } from './lock-of-write.js';
import type { AnswerPaths } from './paths.js';

/** A durable write to step state, as rules judge it. */
export interface TransitionSubject {
  readonly kind: 'T';
  readonly unit: Unit;
  readonly transition: Transition;
  /** Where the write stands. */
  readonly place: Place;
  /** A call of a function that asks its callers for a lock: it says so by a tag, or its other callers hold one. */
  readonly asksForLock: 'by-tag' | 'by-callers' | false;
  /** What the paths of its function make of the write's answer; undefined where there are too many. Computed when first asked. */
  answer(): AnswerPaths | undefined;
  /** The locks held at the write. Computed when first asked. */
  lock(): LockOfWrite;
}
