import type { AcquireOperation, ExtendOperation, Operation, OverwriteOperation, ReleaseOperation } from '../operations/operation.js';
import type { LeaseTime } from './lease-time.js';
import type { RenewalFacts } from './renewal-facts.js';
import type { LossFacts } from './loss-facts.js';
import type { ImplementationSubject } from './implementation-subject.js';
import type { Outage } from './outage.js';
import type { AcquirePaths, ReleasePaths } from './paths.js';
import type { KeyParts } from './key-parts.js';
import type { Stray } from './stray-key.js';
import type { SectionWork } from './section-work.js';
import type { OwnPromise } from './own-promise.js';
import type { OwnerOfAcquire } from './owner-of-acquire.js';
import type { NestedLock } from './nested-locks.js';
import type { FinallyRelease } from './release-in-finally.js';
import type { RetryFound } from './retry.js';
import type { LockEnd } from './early-release.js';
import type { Pinning } from './pinning.js';
import type { WriteBeside } from './writes-beside.js';
import type { JobLeaseSubject } from './job-subjects.js';
import type { LocalLockSubject } from './local-subjects.js';
import type { ReadsOfSection } from './stale-of.js';
import type { Unit } from '../syntax/unit.js';
import type { TransitionSubject } from './transition-subject.js';

interface SubjectBase {
  readonly unit: Unit;
  /** The key as text for people, quoted. */
  readonly key: string;
  /** True where the key has constant text of its own, so that equal keys are no accident of parameter names. */
  readonly keyIsTelling: boolean;
  /** The other operations of the file on the same key. */
  readonly onSameKey: readonly Operation[];
  /** Those of them in the function of this one. */
  readonly besides: readonly Operation[];
  /** True where the key marks "done once" and is never given back: only TTL and atomicity are judged. */
  readonly claim: boolean;
  /** True where the code itself says lock: by a name, or by giving the key back whatever happened. */
  readonly plainlyLock: boolean;
  /** It stands in an async function, so that it can be awaited. */
  readonly inAsync: boolean;
  /** What becomes of the promise of the call. Computed when first asked. */
  promise(): OwnPromise;
}
/** How the owner a release or renewal names stands to the one of the acquire in sight; `unknown` where there is none or it cannot be told. */
interface OwnerNamed {
  readonly ownerRelation: 'equal' | 'different' | 'unknown';
  readonly ownerText: string;
  readonly acquiredFor: string;
}
/** The acquire that the release or renewal misses by its key. */
interface KeyNamed {
  readonly stray: Stray | undefined;
  /** The key of that acquire, quoted; empty where there is none. */
  readonly takenKey: string;
}
export interface AcquisitionSubject extends SubjectBase {
  readonly kind: 'A';
  readonly operation: AcquireOperation;
  /** A row lock (FOR UPDATE and its kin): only rules that say so judge it. */
  readonly locksRow: boolean;
  /** For locks of a database: whether it lives as long as it has to. Undefined for others. Computed when first asked. */
  pinning(): Pinning | undefined;
  /** For row locks: a write of the row on another connection. Computed when first asked. */
  writeBeside(): WriteBeside | undefined;
  /** How the end of a lock that lasts for a function or a block stands to the transaction around it. Computed when first asked. */
  end(): LockEnd;
  /** What the paths of its function say; undefined where there are too many. Computed when first asked. */
  paths(): AcquirePaths | undefined;
  /** How its owner tells it from others. Computed when first asked. */
  owner(): OwnerOfAcquire;
  /** Work that goes on after the lock is free. Computed when first asked. */
  section(): SectionWork;
  /** Whether all who compete ask for the same key. Computed when first asked. */
  keyParts(): KeyParts;
  /** How long the lock is held against how long it lasts, and what renews it. Computed when first asked. */
  leaseTime(): LeaseTime;
  /** How its holder learns that it is lost; undefined where nothing here tells. Computed when first asked. */
  loss(): LossFacts | undefined;
  /** How a worker that is refused asks again. Computed when first asked. */
  retry(): RetryFound;
  /** A lock that is taken under this one, or this one under another, against the rules. Computed when first asked. */
  nested(): NestedLock | 'fine' | 'counted' | undefined;
  /** What becomes of the work when the store fails or is not there. Computed when first asked. */
  outage(): Outage;
  /** What its section makes of reads from before it. Computed when first asked. */
  reads(): ReadsOfSection;
}
export interface ReleaseSubject extends SubjectBase, OwnerNamed, KeyNamed {
  readonly kind: 'L';
  readonly operation: ReleaseOperation;
  /** The acquires of the same lock in the file. */
  readonly acquires: readonly AcquireOperation[];
  /** For locks of a database: whether it runs on the connection of its lock. Undefined for others. Computed when first asked. */
  pinning(): Pinning | undefined;
  /** How the acquires of the same lock stand. Computed when first asked. */
  pinningOfAcquires(): readonly (Pinning | undefined)[];
  /** How it stands to the transaction of the protected writes. Computed when first asked. */
  end(): LockEnd;
  /** Whether it runs only while the lock is held. Computed when first asked. */
  paths(): ReleasePaths;
  /** The platform ends a run of this code before a lock that it took can run out. Computed when first asked. */
  outlived(): boolean;
  /** What it does to the result of the section it stands in the `finally` of. Computed when first asked. */
  inFinally(): FinallyRelease | undefined;
}
export interface ExtensionSubject extends SubjectBase, OwnerNamed, KeyNamed {
  readonly kind: 'E';
  readonly operation: ExtendOperation | OverwriteOperation;
  /** What it prolongs is a lock: one taken in sight, or one whose owner it compares. A script that moves a TTL may be one of a cache. */
  readonly renewsLock: boolean;
  /** The timer that runs it, and what becomes of its failure. Computed when first asked. */
  renewal(): RenewalFacts;
  /** The signal of a helper that renews in the background. Computed when first asked. */
  loss(): LossFacts | undefined;
}

/** What a rule judges. */
export type Subject = LockSubject | TransitionSubject | ImplementationSubject | LocalLockSubject | JobLeaseSubject;
export type LockSubject = AcquisitionSubject | ReleaseSubject | ExtensionSubject;
