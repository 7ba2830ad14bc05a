import type ts from 'typescript';
import type { Term } from '../syntax/term.js';

/** A TTL as the code gives it: the value, its unit, and how sure it is that it reaches the store. */
export interface Ttl {
  readonly term: Term;
  readonly node: ts.Expression | undefined;
  /** The unit of the slot it is handed to. */
  readonly unit: 's' | 'ms';
  /** The unit its name promises, when it has one. */
  readonly named: 's' | 'ms' | undefined;
}

/** `none`: the call sets no TTL. `open`: arguments are spread or built elsewhere, so the code here does not tell. */
export type TtlGiven = { readonly kind: 'given'; readonly ttl: Ttl } | { readonly kind: 'none' } | { readonly kind: 'open' };

interface OperationBase {
  readonly node: ts.CallExpression;
  readonly api: string;
  readonly key: Term;
}
export interface AcquireOperation extends OperationBase {
  readonly kind: 'acquire';
  readonly owner: Term | undefined;
  readonly ttl: TtlGiven;
  /** SETNX cannot carry a TTL: it has to come in a second command. */
  readonly bare: boolean;
}
export interface ReleaseOperation extends OperationBase {
  readonly kind: 'release';
  readonly ownerCheck: 'atomic' | 'none' | 'unknown';
}
export interface ExtendOperation extends OperationBase {
  readonly kind: 'extend';
  readonly ownerCheck: 'atomic' | 'none' | 'unknown';
  readonly ttl: TtlGiven;
  /** The script sets the key again when it has expired. */
  readonly recreates: boolean;
}
/** A write of the key that asks nothing: it replaces a lock that stands there. */
export interface OverwriteOperation extends OperationBase {
  readonly kind: 'overwrite';
}
/** A read of the key: alone it decides nothing, before a DEL it is half of a compare. */
export interface InspectOperation extends OperationBase {
  readonly kind: 'inspect';
}
export type Operation = AcquireOperation | ReleaseOperation | ExtendOperation | OverwriteOperation | InspectOperation;
