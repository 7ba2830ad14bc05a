import type ts from 'typescript';
import type { TimeUnit } from '../syntax/named-unit.js';
import type { Term } from '../syntax/term.js';
import type { ResultForm } from './result-form.js';

/** A TTL as the code gives it: the value, its unit, and how sure it is that it reaches the store. */
export interface Ttl {
  readonly term: Term;
  readonly node: ts.Expression | undefined;
  /** The unit of the slot it is handed to. */
  readonly unit: 's' | 'ms';
  /** The unit its name promises, when it has one. */
  readonly named: TimeUnit | undefined;
  /** True where the store or library refuses a number that is not whole. Absent: nothing is known of it. */
  readonly whole?: boolean;
}

/**
 * `none`: the call sets no TTL. `open`: arguments are spread or built elsewhere, so the code here does not tell. `lapses-otherwise`: the lock needs none, since it
 * ends with its session, transaction or row (advisory and row locks), or the library has a default of its own.
 */
export type TtlGiven = { readonly kind: 'given'; readonly ttl: Ttl } | { readonly kind: 'none' } | { readonly kind: 'open' } | { readonly kind: 'lapses-otherwise' };

/**
 * What connects a release to its acquire. `key`: the same key. `handle`: a value the acquire gave (`handle.release()`, `lock.release(handle)`, a release function).
 * `receiver`: the same lock object (`mutex.acquire()` .. `mutex.release()`). `connection`: the session or transaction it was taken on.
 */
export type LockLink = 'key' | 'handle' | 'receiver' | 'connection';

/** What says that the call is a lock operation: a modelled library or command, a declaration (a type with the right shape, or a user's model or tag), the body of the called function, or a name with a witness. */
export type LockEvidence = 'model' | 'declared' | 'body' | 'name';

interface OperationBase {
  readonly node: ts.CallExpression | ts.TaggedTemplateExpression;
  readonly api: string;
  /** The key; for locks without one (`mutex.acquire()`) the receiver; for handles the handle. */
  readonly key: Term;
  readonly evidence: LockEvidence;
  /** The model or the tags of a user that say so. */
  readonly model?: string;
}
export interface AcquireOperation extends OperationBase {
  readonly kind: 'acquire';
  readonly owner: Term | undefined;
  /** True where the API takes an owner chosen by the caller. */
  readonly hasOwnerSlot: boolean;
  /** Nothing else that the type of the lock offers asks for an owner: what is stored under the key is told from no other. */
  readonly ownerUnused?: true;
  readonly ttl: TtlGiven;
  /** SETNX cannot carry a TTL: it has to come in a second command. */
  readonly bare: boolean;
  readonly result: ResultForm;
  readonly link: LockLink;
  /** `callback`: the section is a function handed over, the library gives the lock back. `using`: given back at the end of the scope. */
  readonly scope: 'manual' | 'callback' | 'using' | 'transaction';
  /** The function that runs under the lock, for `callback`. */
  readonly body?: ts.Expression;
  /** Whether the library prolongs it by itself while it is held; undefined where that is not known. */
  readonly renews?: boolean;
  /** True where an owner that holds the lock already is let in again. */
  readonly reenters?: boolean;
  /** The function that a library gives for giving the lock back, by its place in the answer: empty for the answer itself, or an index. */
  readonly frees?: { readonly at: string } & Pick<ReleaseOperation, 'ownerCheck' | 'ifNotHeld'>;
  /** The object the lock is taken from: `redlock`, `this.lock`; undefined for plain functions. */
  readonly receiver: Term | undefined;
}
export interface ReleaseOperation extends OperationBase {
  readonly kind: 'release';
  /** `contract`: an API that compares the owner by its contract or by the library's word (StepLock.release(id, owner), redlock, handles). */
  readonly ownerCheck: 'atomic' | 'contract' | 'none' | 'unknown';
  readonly link: LockLink;
  /** The value that names the lock, for `handle`. */
  readonly handle: Term | undefined;
  readonly owner: Term | undefined;
  /** `missing`: the API has a slot for the owner or the grant and the call leaves it empty. `none`: the API has no such slot. */
  readonly ownerSlot: 'given' | 'missing' | 'none';
  /** What happens when the caller does not hold the lock. */
  readonly ifNotHeld: 'harmless' | 'deletes-other' | 'throws' | 'unknown';
  /** Runs only where code has found an owner that was read earlier to be its own: the key is a lock, wherever it is taken. */
  readonly compared?: boolean;
  readonly receiver: Term | undefined;
}
export interface ExtendOperation extends OperationBase {
  readonly kind: 'extend';
  /** As for a release: it runs only where code has found an owner that was read earlier to be its own. */
  readonly compared?: boolean;
  readonly ownerCheck: 'atomic' | 'contract' | 'none' | 'unknown';
  readonly ttl: TtlGiven;
  /** The script sets the key again when it has expired. */
  readonly recreates: boolean;
  readonly link: LockLink;
  readonly handle: Term | undefined;
  readonly owner: Term | undefined;
  readonly ownerSlot: 'given' | 'missing' | 'none';
  readonly receiver: Term | undefined;
  /** A heartbeat of a row: it names its owner, who took the row by a write that asks nothing. The row is a lock, wherever it is taken. */
  readonly beats?: boolean;
  /** What a SET .. XX puts into the key. */
  readonly value?: Term;
  /** A helper that goes on renewing by itself, and takes a handler for the loss. */
  readonly onLoss?: LossHandler;
}
/** The handler that a renewing helper calls when the lock is lost, and what the code hands over for it. */
export interface LossHandler {
  readonly name: string;
  readonly given: ts.Node | undefined;
}
/** A write of the key that asks nothing: it replaces a lock that stands there. */
export interface OverwriteOperation extends OperationBase {
  readonly kind: 'overwrite';
  /** What it puts into the key. */
  readonly value: Term;
  readonly ttl: TtlGiven;
}
/** A read of the key: alone it decides nothing, before a DEL it is half of a compare. */
export interface InspectOperation extends OperationBase {
  readonly kind: 'inspect';
}
export type Operation = AcquireOperation | ReleaseOperation | ExtendOperation | OverwriteOperation | InspectOperation;
