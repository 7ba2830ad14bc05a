import type ts from 'typescript';
import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import type { Transition } from '../targets/transition.js';
import type { Actor } from '../targets/actor.js';
import type { GuardsOfTarget } from './guards-of.js';
import type { LockOfWrite } from './lock-of-write.js';
import type { MovesOfWrite } from './moves-of.js';
import type { AnswerPaths } from './paths.js';
import type { Split } from './split.js';
import type { SerialOfWrite } from './serial-of.js';
import type { TokenOfWrite } from './token-of.js';
import type { ReadsOfSection } from './stale-of.js';
import type { Rival } from './rival.js';

export { BY_THE_STORE } from '../targets/protection.js';

/** A durable write to step state, as rules judge it. */
export interface TransitionSubject {
  readonly kind: 'T';
  readonly unit: Unit;
  readonly transition: Transition;
  /** Where the write stands. */
  readonly place: Place;
  /** Id of its site: what a finding conflicts with that is about the same code run twice. */
  readonly site: string;
  /** A call of a function that asks its callers for a lock: it says so by a tag, or its other callers hold one. */
  readonly asksForLock: 'by-tag' | 'by-callers' | false;
  /** A call that stands for the write of a store's method in the table of writers: no rule judges it. */
  readonly isListed: boolean;
  /** What the paths of its function make of the write's answer; undefined where there are too many. Computed when first asked. */
  answer(): AnswerPaths | undefined;
  /** The acquires that stand before the write in its function, granted or not. */
  triedLocks(): readonly ts.Node[];
  /** The locks held at the write. Computed when first asked. */
  lock(): LockOfWrite;
  /** How the messages about the row stand to the write. Computed when first asked. */
  split(): Split;
  /** The reads before its lock that decide it. Computed when first asked. */
  reads(): ReadsOfSection;
  /** The table of moves between states, and what it says of this one. Computed when first asked. */
  moves(): MovesOfWrite;
  /** The fencing token it could carry. Computed when first asked. */
  token(): TokenOfWrite | undefined;
  /** How it stands to an engine that runs the code of one key in turn; undefined outside of such. Computed when first asked. */
  serial(): SerialOfWrite | undefined;
  /** How the code is entered that leads to the write. Computed when first asked. */
  actor(): Actor;
  /** The second writer of the row, of other files too where they are judged together. Computed when first asked. */
  rival(): Rival | undefined;
  /** How many writers of the target name the state they expect, where this one does not. Computed when asked. */
  guards(): GuardsOfTarget | undefined;
  /** Who else takes the row out of a state that the write expects, where it is told how that writer is entered. Computed when asked. */
  taker(): Rival | undefined;
}
