import { lockOperations } from '../functions/lock-operations.js';
import { accessesOf } from '../operations/accesses.js';
import type { StateAccess } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { ownerClaimed } from './claimed-before.js';
import { claimedElsewhere, failsAfterClaim } from './claimed-elsewhere.js';
import { transitionsOf, type Transition } from './transition.js';
import { Kept } from '../kept.js';

/** What a file does to rows. */
export interface FileTransitions {
  readonly accesses: readonly StateAccess[];
  readonly transitions: readonly Transition[];
}

const NONE: FileTransitions = { accesses: [], transitions: [] };
const known = new Kept<Unit, FileTransitions>();

/** The accesses of a file and the transitions among them, read once a unit. */
export function fileTransitions(unit: Unit): FileTransitions {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const accesses = accessesOf(unit);
  const found = accesses.some((a) => a.kind === 'write') ? { accesses, transitions: transitionsOf(unit, accesses, lockUsers(unit)) } : { ...NONE, accesses };
  known.provisionally(unit, found);
  const whole = { ...found, transitions: found.transitions.map((t) => withClaim(t, found.transitions)) };
  known.set(unit, whole);
  return whole;
}

/** The files may import each other: what is asked of the other one does not depend on what is found here. */
function withClaim(transition: Transition, here: readonly Transition[]): Transition {
  const transitionsIn = (unit: Unit): readonly Transition[] => fileTransitions(unit).transitions;
  const at = claimedElsewhere(transition, here, transitionsIn);
  if (at !== undefined) return { ...transition, protectedBy: { kind: 'claimed-before', at } };
  if (transition.foreign !== undefined || transition.protectedBy !== undefined) return transition;
  const isOwn = failsAfterClaim(transition, transitionsIn) || ownerClaimed(transition.unit, transition, here) !== undefined;
  return isOwn ? { ...transition, foreign: 'own-row' } : transition;
}

function lockUsers(unit: Unit): (fn: Transition['fn']) => boolean {
  const locking = new Set(lockOperations(unit).filter((o) => o.kind === 'acquire').map((o) => enclosingFunction(unit, o.node)));
  return (fn) => locking.has(fn);
}
