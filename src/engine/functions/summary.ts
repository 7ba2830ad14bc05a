import type ts from 'typescript';
import type { AcquireOperation, ExtendOperation, ReleaseOperation } from '../operations/operation.js';
import type { ResultForm } from '../operations/result-form.js';
import type { Unit } from '../syntax/unit.js';

/** A function whose body can be read. */
export interface ReadableFunction {
  readonly unit: Unit;
  readonly fn: ts.FunctionLikeDeclaration;
}

/** What a function that gives a lock back does to it. */
export type FreeTraits = Pick<ReleaseOperation, 'ownerCheck' | 'ifNotHeld'>;

/** What the value of a granted acquire holds. Places are property names or tuple indexes; the empty text is the value itself. */
export interface Grant {
  /** Where the owner token stands. */
  readonly owner: string | undefined;
  /** The functions that give the lock back, by place. */
  readonly frees: ReadonlyMap<string, FreeTraits>;
}

export const NO_GRANT: Grant = { owner: undefined, frees: new Map() };

/** Where the function that runs under the lock comes in: a parameter, or a property of one. */
export interface CallbackSlot {
  readonly index: number;
  readonly prop: string | undefined;
}

export interface AcquireSummary {
  /** The acquire of the body, in the terms of the function. */
  readonly operation: AcquireOperation;
  readonly result: ResultForm;
  readonly grant: Grant;
  /** The lock is held only while this function runs. Absent: it is held when the function returns. */
  readonly callback?: CallbackSlot;
}

/** What a call of a function does to one lock. Operations are in the terms of the function: its parameters, its `this`, its module's names. */
export type FunctionSummary =
  | ({ readonly kind: 'acquire' } & AcquireSummary)
  /** `always`: no path returns without it. */
  | { readonly kind: 'release'; readonly operation: ReleaseOperation; readonly always: boolean }
  | { readonly kind: 'extend'; readonly operation: ExtendOperation };
