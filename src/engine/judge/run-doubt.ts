import { isCalledByOtherFiles, type Actor, type Reach } from '../targets/actor.js';
import { fileTransitions } from '../targets/file-transitions.js';
import type { Grade } from '../targets/grade.js';
import { effectAfter, writesTheSame } from '../targets/same-again.js';
import { isWaiting } from '../targets/step-words.js';
import { isInFlightIn } from '../targets/told-targets.js';
import type { Transition } from '../targets/transition.js';

/**
 * Why it is not proven that a second run of the same code does harm. `writesOther`: that run can end the row otherwise. Undefined where nothing speaks against it.
 */
export function doubtOfRun(transition: Transition, actor: Actor, writesOther: boolean, reach: Reach): string | undefined {
  const { unit, write, kind, grade } = transition;
  if (actor.kind === 'unknown') return isReachedFromElsewhere(transition, reach) ? 'what enters this code a second time for the same row is not in sight' : undefined;
  // What is put back once more may have been taken up since.
  if (kind === 'claim' || writesOther || isTakenUp(grade) || !writesTheSame(unit, write)) return undefined;
  return effectAfter(unit, write.node, fileTransitions(unit).accesses) === undefined ? 'a second run puts the same values, and who puts others meanwhile is not in sight' : undefined;
}

/** Others go on from the state that is written. */
function isTakenUp({ to, told }: Grade): boolean {
  return to === 'unknown' || to.some((t) => isInFlightIn(told, t) || isWaiting(t));
}

/** Its callers are in sight, through other files too, and none of them says how it is entered. What nobody calls in sight is there for everybody. */
function isReachedFromElsewhere({ unit, write }: Transition, reach: Reach): boolean {
  return reach === 'program' && isCalledByOtherFiles({ unit, node: write.node });
}
