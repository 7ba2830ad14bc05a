import type { AcquireOperation, Operation, ReleaseOperation } from '../operations/operation.js';
import type { Unit } from '../syntax/unit.js';
import { leaseMilliseconds, runCap } from '../time/run-cap.js';
import { endOfRelease, endOfScope } from './early-release.js';
import { keyParts } from './key-parts.js';
import { leaseTime } from './lease-time.js';
import { lossOfAcquire } from './loss-facts.js';
import { nestedLock } from './nested-locks.js';
import { outageOf } from './outage.js';
import { ownerOfAcquire } from './owner-of-acquire.js';
import type { PathFinder } from './paths.js';
import { databasePinning } from './pinning.js';
import { finallyRelease } from './release-in-finally.js';
import { retryOf } from './retry.js';
import { readsOfAcquire } from './stale-of.js';
import { sectionWork } from './section-work.js';
import type { AcquisitionSubject, ReleaseSubject } from './subject.js';

/** What rules ask of an acquisition, each answer computed when it is asked for. */
export type AcquisitionFacts = Pick<AcquisitionSubject, 'paths' | 'pinning' | 'writeBeside' | 'end' | 'owner' | 'section' | 'keyParts' | 'leaseTime' | 'loss' | 'retry' | 'nested' | 'outage' | 'reads'>;

/** What stands around an acquire in its file. */
export interface AroundAcquire {
  readonly all: readonly Operation[];
  readonly acquires: readonly AcquireOperation[];
  readonly onSameKey: readonly Operation[];
  readonly finder: PathFinder;
}

export function acquisitionFacts(unit: Unit, operation: AcquireOperation, { all, acquires, onSameKey, finder }: AroundAcquire): AcquisitionFacts {
  const releases = onSameKey.filter((o): o is ReleaseOperation => o.kind === 'release');
  return {
    paths: () => finder.acquire(operation, releases),
    pinning: () => databasePinning(unit, operation),
    writeBeside: () => undefined,
    end: () => endOfScope(unit, operation),
    owner: () => ownerOfAcquire(unit, operation, onSameKey, acquires),
    section: () => sectionWork(unit, operation, onSameKey),
    keyParts: () => keyParts(unit, operation, all),
    leaseTime: () => leaseTime(unit, operation, onSameKey),
    loss: () => lossOfAcquire(unit, operation),
    retry: () => retryOf(unit, operation, releases),
    nested: () => nestedLock(unit, operation),
    outage: () => outageOf(unit, operation, all),
    reads: () => readsOfAcquire(unit, operation),
  };
}

/** The facts of an acquisition that no statement holds or that ends with its statement's transaction: a leadership, a locked row. */
export function factsApart(unit: Unit, operation: AcquireOperation): AcquisitionFacts {
  return {
    paths: () => undefined,
    pinning: () => undefined,
    writeBeside: () => undefined,
    end: () => ({ kind: 'apart' }),
    owner: () => ownerOfAcquire(unit, operation, [], []),
    section: () => ({ kind: 'none' }),
    keyParts: () => keyParts(unit, operation, []),
    leaseTime: () => ({ ttlMs: undefined, renewal: undefined, section: undefined, cap: undefined }),
    loss: () => undefined,
    retry: () => undefined,
    nested: () => undefined,
    outage: () => ({ kind: 'unknown' }),
    reads: () => ({ kind: 'none' }),
  };
}

/** What rules ask of a release beside its owner and key. */
export function releaseFacts(unit: Unit, operation: ReleaseOperation, acquires: readonly AcquireOperation[], finder: PathFinder): Pick<ReleaseSubject, 'paths' | 'pinning' | 'pinningOfAcquires' | 'end' | 'outlived' | 'inFinally'> {
  return {
    paths: () => finder.release(operation, acquires),
    pinning: () => databasePinning(unit, operation),
    pinningOfAcquires: () => acquires.map((a) => databasePinning(unit, a)),
    end: () => endOfRelease(unit, operation, acquires),
    outlived: () => acquires.length > 0 && acquires.every((a) => outlives(unit, a)),
    inFinally: () => finallyRelease(unit, operation),
  };
}

/** The lock that a run took lasts at least as long as the platform lets the run go on. */
function outlives(unit: Unit, acquire: AcquireOperation): boolean {
  const ms = leaseMilliseconds(unit, acquire);
  const cap = ms === undefined ? undefined : runCap(unit, acquire.node);
  return ms !== undefined && cap !== undefined && cap.ms <= ms;
}
