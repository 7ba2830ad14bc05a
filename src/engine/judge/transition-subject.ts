import type { Unit } from '../syntax/unit.js';
import type { Transition } from '../targets/transition.js';

/** A durable write to step state, as rules judge it. */
export interface TransitionSubject {
  readonly kind: 'T';
  readonly unit: Unit;
  readonly transition: Transition;
}
