import type { Policy } from '../models.js';
import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import { localLocks, type LocalLock } from '../targets/local-locks.js';
import { manyProcesses, sharedBehind } from '../targets/shared-behind.js';

/** A lock of one process or one host, as `no-local-lock` judges it. No other rule does. */
export interface LocalLockSubject {
  readonly kind: 'local';
  readonly unit: Unit;
  readonly lock: LocalLock;
  readonly place: Place;
  /** What the policy says of the processes that run at a time. */
  readonly instances: Policy['instances'];
  /** What it stands before that other processes reach too. */
  readonly behind: StateBehind;
  /** What in the file shows that several processes run it. Computed when asked. */
  many(): { readonly place: Place; readonly what: string } | undefined;
}

/** A write that nothing else keeps rivals out of, one that something does, a call that keeps something by its name; and where the lock is asked. */
export interface StateBehind {
  readonly bare: { readonly place: Place; readonly target: string } | undefined;
  readonly guarded: Place | undefined;
  readonly named: Place | undefined;
  readonly entry: Place;
}

/** The local locks of a file that stand before state of other processes. Those before memory alone are right as they are, and no subject. */
export function localSubjects(unit: Unit, policy: Policy | undefined): LocalLockSubject[] {
  return localLocks(unit).flatMap((lock): LocalLockSubject[] => {
    const { bare, guarded, named } = sharedBehind(unit, lock);
    if (bare === undefined && guarded === undefined && named === undefined) return [];
    const behind: StateBehind = {
      bare: bare && { place: bare.unit.placeOf(bare.node), target: bare.target }, guarded: guarded?.unit.placeOf(guarded.node), named: named && unit.placeOf(named), entry: unit.placeOf(lock.entry),
    };
    return [{ kind: 'local', unit, lock, place: unit.placeOf(lock.node), instances: policy?.instances, behind, many: () => many(unit) }];
  });
}

function many(unit: Unit): ReturnType<LocalLockSubject['many']> {
  const found = manyProcesses(unit);
  return found && { place: unit.placeOf(found.node), what: found.what };
}
