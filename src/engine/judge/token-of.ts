import type { Place } from '../place.js';
import { tokenAtHand, type TokenAtHand } from '../targets/token-at-hand.js';
import type { Transition } from '../targets/transition.js';

/** A fencing token at hand, with its place, as a rule reads it. */
export type TokenOfWrite = Omit<TokenAtHand, 'at'> & { readonly at: Place };

export function tokenOf(transition: Transition): TokenOfWrite | undefined {
  const found = tokenAtHand(transition);
  return found && { ...found, at: transition.unit.placeOf(found.at) };
}
