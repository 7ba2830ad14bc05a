import type { AcquireOperation, ExtendOperation, Operation, OverwriteOperation, ReleaseOperation } from '../operations/operation.js';
import type { LocalLockSubject } from './local-subjects.js';
import type { AcquirePaths, ReleasePaths } from './paths.js';
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
}
/** How the owner a release or renewal names stands to the one of the acquire in sight; `unknown` where there is none or it cannot be told. */
interface OwnerNamed {
  readonly ownerRelation: 'equal' | 'different' | 'unknown';
  readonly ownerText: string;
  readonly acquiredFor: string;
}
export interface AcquisitionSubject extends SubjectBase {
  readonly kind: 'A';
  readonly operation: AcquireOperation;
  /** What the paths of its function say; undefined where there are too many. Computed when first asked. */
  paths(): AcquirePaths | undefined;
  /** What its section makes of reads from before it. Computed when first asked. */
  reads(): ReadsOfSection;
}
export interface ReleaseSubject extends SubjectBase, OwnerNamed {
  readonly kind: 'L';
  readonly operation: ReleaseOperation;
  /** The acquires of the same lock in the file. */
  readonly acquires: readonly AcquireOperation[];
  /** Whether it runs only while the lock is held. Computed when first asked. */
  paths(): ReleasePaths;
}
export interface ExtensionSubject extends SubjectBase, OwnerNamed { readonly kind: 'E'; readonly operation: ExtendOperation | OverwriteOperation }

/** What a rule judges. */
export type Subject = LockSubject | TransitionSubject | LocalLockSubject;
export type LockSubject = AcquisitionSubject | ReleaseSubject | ExtensionSubject;
