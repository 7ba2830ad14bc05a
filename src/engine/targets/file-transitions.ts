import { calledName } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import { lockOperations } from '../functions/lock-operations.js';
import { accessesOf } from '../operations/accesses.js';
import type { StateAccess } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { sameTarget } from './accesses.js';
import { importedClaim } from './claimed-before.js';
import { isInFlight } from './step-words.js';
import { transitionsOf, type Transition } from './transition.js';

/** What a file does to rows. */
export interface FileTransitions {
  readonly accesses: readonly StateAccess[];
  readonly transitions: readonly Transition[];
}

const NONE: FileTransitions = { accesses: [], transitions: [] };
const known = new WeakMap<Unit, FileTransitions>();

/** The accesses of a file and the transitions among them, read once a unit. */
export function fileTransitions(unit: Unit): FileTransitions {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const accesses = accessesOf(unit);
  const found = accesses.some((a) => a.kind === 'write') ? { accesses, transitions: transitionsOf(unit, accesses, lockUsers(unit)) } : { ...NONE, accesses };
  known.set(unit, found);
  const whole = { ...found, transitions: found.transitions.map((t) => withImportedClaim(unit, t)) };
  known.set(unit, whole);
  return whole;
}

/** Functions of other files that win a row. */
const CLAIM_VERB = /^(?:try|mark|claim|start|begin|take|transition|move|advance|acquire|reserve|dequeue|pick|set|update|compare|swap)(?=[A-Z]|$)/;

/** A claim by a function of another file protects the write that follows. The files may import each other: what is asked there does not depend on what is found here. */
function withImportedClaim(unit: Unit, transition: Transition): Transition {
  const { write, grade } = transition;
  if (transition.protectedBy !== undefined || grade.to === 'unknown' || typeof grade.grade !== 'number' || grade.grade >= 4) return transition;
  const at = importedClaim(unit, write, (call) => {
    const name = calledName(unit, call);
    const called = CLAIM_VERB.test(name) ? calledFunction(unit, call) : undefined;
    if (called === undefined || called.unit === unit) return undefined;
    const [only, ...more] = fileTransitions(called.unit).transitions.filter((t) => t.fn === called.fn);
    const wins = only !== undefined && more.length === 0 && typeof only.grade.grade === 'number' && only.grade.grade >= 4 && sameTarget(only.write, write);
    return wins && takesUp(only, transition) ? only : undefined;
  });
  return at === undefined ? transition : { ...transition, protectedBy: { kind: 'claimed-before', at } };
}

/** The claim moves the row to a state in flight, which is not the written one. */
function takesUp(claim: Transition, { grade }: Transition): boolean {
  return claim.grade.to !== 'unknown' && claim.grade.to.some(isInFlight) && claim.grade.to.every((t) => grade.to !== 'unknown' && !grade.to.includes(t));
}

function lockUsers(unit: Unit): (fn: Transition['fn']) => boolean {
  const locking = new Set(lockOperations(unit).filter((o) => o.kind === 'acquire').map((o) => enclosingFunction(unit, o.node)));
  return (fn) => locking.has(fn);
}
