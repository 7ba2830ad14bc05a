import type { AcquireOperation, ExtendOperation, Operation, OverwriteOperation, ReleaseOperation } from '../operations/operation.js';
import type { LeaseTime } from './lease-time.js';
import type { RenewalFacts } from './renewal-facts.js';
import type { LossFacts } from './loss-facts.js';
import type { AcquirePaths, ReleasePaths } from './paths.js';
import type { KeyParts } from './key-parts.js';
import type { Stray } from './stray-key.js';
import type { SectionWork } from './section-work.js';
import type { OwnPromise } from './own-promise.js';
import type { OwnerOfAcquire } from './owner-of-acquire.js';
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
}
export interface ReleaseSubject extends SubjectBase, OwnerNamed, KeyNamed {
  readonly kind: 'L';
  readonly operation: ReleaseOperation;
  /** The acquires of the same lock in the file. */
  readonly acquires: readonly AcquireOperation[];
  /** Whether it runs only while the lock is held. Computed when first asked. */
  paths(): ReleasePaths;
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
export type Subject = AcquisitionSubject | ReleaseSubject | ExtensionSubject | TransitionSubject;
export type LockSubject = AcquisitionSubject | ReleaseSubject | ExtensionSubject;
