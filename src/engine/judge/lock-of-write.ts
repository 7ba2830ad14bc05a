import type { Place } from '../place.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction } from '../syntax/expression.js';
import { docTag } from '../syntax/doc-tags.js';
import { showTerm } from '../syntax/term.js';
import { isToldSingleWriter } from '../syntax/told-facts.js';
import { lockOperations } from '../functions/lock-operations.js';
import { lockCover, type HeldAt } from '../targets/lock-cover.js';
import type { LockedWriter } from '../targets/locked-writers.js';
import type { RequiredCall } from '../targets/required-calls.js';
import { targetKey } from '../targets/step-words.js';
import type { Reach } from '../targets/actor.js';
import { isOfDatabase } from './pinning.js';
import { writerAt } from './rival.js';
import { siteIdAt } from './site.js';
import { identityOf, type Transition } from '../targets/transition.js';

/** How a write stands to the locks of its row, as a rule reads it. */
export interface LockOfWrite {
  /** `by-callers`: every caller of the function holds the lock, in other files too. `partly`: some callers do; those that do not are judged where they call. */
  readonly cover: 'covered' | 'by-callers' | 'partly' | 'misses' | 'undecided' | 'none';
  /** Where the lock is taken that is held, and its key. */
  readonly held: { readonly place: Place; readonly key: string; readonly livesByConnection: boolean } | undefined;
  /** All callers of the function were seen, and at least one holds no lock. */
  readonly callersSeen: boolean;
  /** Why callers were not seen, for a question. */
  readonly unseen: string | undefined;
  /** Another writer of the same target, which holds a lock of the row. */
  readonly lockedWriter: { readonly place: Place; readonly key: string; readonly who: string; readonly site: string } | undefined;
  /** What the function says of itself, or asks of its callers. */
  readonly says: 'single-writer' | 'requires-lock' | undefined;
}

/** Reads the lock of one write; `writers` are all writers in reach that hold a lock of the row they write, `asked` is set for a call that asks for one. */
export function lockOfWrite(transition: Transition, writers: readonly LockedWriter[], reach: Reach, asked?: RequiredCall): LockOfWrite {
  const { unit, write, fn } = transition;
  const cover = lockCover(unit, write.node, asked?.identity ?? identityOf(write));
  const target = write.target === undefined ? undefined : targetKey(write.target);
  const other = asked?.locked === undefined ? othersUnderLock(writers.filter((w) => w.target === target)).find((w) => !(w.unit === unit && w.node.pos >= fn.pos && w.node.end <= fn.end))
    : { unit: asked.locked.unit, node: asked.locked.call, key: asked.locked.key };
  return {
    cover: cover.kind === 'covered' && !cover.here ? 'by-callers' : cover.kind,
    held: cover.kind === 'none' || cover.kind === 'partly' ? undefined : { place: cover.unit.placeOf(cover.at), key: showTerm(cover.key), livesByConnection: livesByConnection(cover) },
    callersSeen: cover.kind === 'none' && cover.callers === 'seen',
    unseen: cover.kind === 'none' && cover.unseen !== undefined ? UNSEEN[cover.unseen] : undefined,
    lockedWriter: other && { place: other.unit.placeOf(other.node), key: showTerm(other.key), who: writerAt(unit, other.unit, other.node, reach, 'writer'), site: siteIdAt(other.unit.placeOf(other.node)) },
    says: isToldSingleWriter(unit, fn) ? 'single-writer' : docTag(unit, fn, 'requiresLock') !== undefined ? 'requires-lock' : undefined,
  };
}

/** A lock of a database is held as long as its session lives; all others run out. */
function livesByConnection({ unit, at }: HeldAt): boolean {
  return lockOperations(unit).some((o) => o.node === at && o.kind === 'acquire' && (o.link === 'connection' || isOfDatabase(o.api)));
}

/** One lock for all rows that a single function takes keeps its own runs apart, as a timer on many machines needs it: it asks nothing of other writers. */
function othersUnderLock(writers: readonly LockedWriter[]): readonly LockedWriter[] {
  return writers.filter((w) => w.key.kind !== 'const' || writers.some((o) => sameTerm(o.key, w.key) && enclosingFunction(o.unit, o.node) !== enclosingFunction(w.unit, w.node)));
}

const UNSEEN = {
  'cannot-say': 'its callers in other files are not in sight',
  'handed-on': 'it is handed on as a value, and who calls it then is not in sight',
  'unresolved': 'a call of its name is on an object whose type is not in sight',
  'uncalled': 'nothing in sight calls it',
  'too-many': 'its callers are too many or too far to follow',
};
