import type { Place } from '../place.js';
import { docTag } from '../syntax/doc-tags.js';
import { showTerm, type Term } from '../syntax/term.js';
import { lockCover } from '../targets/lock-cover.js';
import type { LockedWriter } from '../targets/locked-writers.js';
import { targetKey } from '../targets/step-words.js';
import { identityOf, type Transition } from '../targets/transition.js';

/** How a write stands to the locks of its row, as a rule reads it. */
export interface LockOfWrite {
  readonly cover: 'covered' | 'misses' | 'undecided' | 'none';
  /** Where the lock is taken that is held, and its key. */
  readonly held: { readonly place: Place; readonly key: string } | undefined;
  /** All callers of the function were seen, and at least one holds no lock. */
  readonly callersSeen: boolean;
  /** Another writer of the same target, which holds a lock of the row. */
  readonly lockedWriter: { readonly place: Place; readonly key: string } | undefined;
  /** What the function says of itself, or asks of its callers. */
  readonly says: 'single-writer' | 'requires-lock' | undefined;
}

/** Reads the lock of one write; `writers` are all writers in reach that hold a lock of the row they write. */
export function lockOfWrite(transition: Transition, writers: readonly LockedWriter[], identity: readonly Term[] = identityOf(transition.write)): LockOfWrite {
  const { unit, write, fn } = transition;
  const cover = lockCover(unit, write.node, identity);
  const target = write.target === undefined ? undefined : targetKey(write.target);
  const other = writers.find((w) => w.target === target && !(w.unit === unit && w.node.pos >= fn.pos && w.node.end <= fn.end));
  return {
    cover: cover.kind,
    held: cover.kind === 'none' ? undefined : { place: unit.placeOf(cover.at), key: showTerm(cover.key) },
    callersSeen: cover.kind === 'none' && cover.callers === 'seen',
    lockedWriter: other && { place: other.unit.placeOf(other.node), key: showTerm(other.key) },
    says: docTag(unit, fn, 'singleWriter') !== undefined ? 'single-writer' : docTag(unit, fn, 'requiresLock') !== undefined ? 'requires-lock' : undefined,
  };
}
