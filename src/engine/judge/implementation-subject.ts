import type ts from 'typescript';
import type { LockRole } from '../operations/lock-words.js';
import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import type { AlwaysGranted } from './always-granted.js';
import type { SilentOperation } from './lock-events.js';
import type { UnaskedGrant } from './unasked-grant.js';
import type { SplitAcquire } from './split-acquire.js';

/** A function of the project that is an operation of a lock. */
export interface ImplementedOperation {
  readonly role: LockRole | 'section';
  readonly name: string;
  readonly fn: ts.FunctionLikeDeclaration;
}

/**
 * A lock that the project makes itself: a class or object with the operations of a lock, or a function that is one of them. A fault of the lock is told here, once, and not at
 * each of its callers.
 */
export interface ImplementationSubject {
  readonly kind: 'I';
  readonly unit: Unit;
  /** The class, the object literal or the function. */
  readonly node: ts.Node;
  readonly place: Place;
  /** `RedisStepLock`, `acquireLease`. */
  readonly name: string;
  readonly operations: readonly ImplementedOperation[];
  /** It gives the lock to everybody and asks nobody. Computed when first asked. */
  alwaysGranted(): AlwaysGranted | undefined;
  /** A loop of attempts that need not run once, and a yes behind it. Computed when first asked. */
  unaskedGrant(): UnaskedGrant | undefined;
  /** It takes the lock by a read and a write. Computed when first asked. */
  splitAcquire(): SplitAcquire | undefined;
  /** The operations that nobody hears of; Computed when first asked. */
  silent(): readonly SilentOperation[];
}
