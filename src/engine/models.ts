/** Lock and store APIs, state targets and policy as data. Filled by `src/models`, extended by users through `src/config` and by tags in the code. */
export interface Models {
  /** Words whose absence from a file's text proves that it holds no lock operation and no state write. */
  readonly words: readonly string[];
  /** Lock APIs that are known beside those the engine reads off declarations. */
  readonly locks?: readonly LockModel[];
  /** Functions and methods that write step state. */
  readonly writes?: readonly StateWriteModel[];
  /** Step state that was declared. */
  readonly targets?: readonly StateTargetModel[];
  /** Tables, models or documents that hold no step state: names, or `/patterns/`. */
  readonly ignoredTargets?: readonly string[];
  readonly policy?: Policy;
}

/** What is true of the code base as a whole and stands in no file. */
export interface Policy {
  /** What the work does while the lock store is down. */
  readonly onOutage?: 'fail-closed' | 'fail-open';
  /** What the loser of a lock does. */
  readonly onContention?: 'retry' | 'wait' | 'skip';
  /** `one`: a single process runs at a time, so that a lock within it is enough. */
  readonly instances?: 'one' | 'many';
}

/**
 * Where a call carries a value: `arg0`, a property of an argument `arg2.lock.ttlMs`, the last argument `arg#last`, the function handed over `arg#fn`, or the object it
 * is made on `recv`.
 */
export type SlotPath = string;

/** One lock API. What a field leaves out is not known, and the rules stay quiet about it. */
export interface LockModel {
  /** The name it goes by in facts. */
  readonly id: string;
  /** The import specifier it comes from; absent where the name alone tells, as for types declared in the project. */
  readonly package?: string;
  readonly operations: readonly LockOperationModel[];
}

export interface LockOperationModel {
  /** `run`: takes the lock, runs a function under it and gives it back. */
  readonly op: 'acquire' | 'release' | 'extend' | 'run';
  /**
   * `takeStep`: a function. `StepLocks#take`: a method of a class, an interface or what a factory of that name gives. `#giveBack`: a method of what an acquire of
   * this model gave. `#()`: calling what it gave.
   */
  readonly call: string;
  /** Without it the lock is the object the call is made on, or the handle. */
  readonly key?: SlotPath;
  readonly owner?: SlotPath;
  readonly ttl?: TtlModel;
  /** The function that runs under the lock, for `run`; default `arg#fn`. */
  readonly body?: SlotPath;
  /** What the acquire gave, for a release or extension that takes it. */
  readonly handle?: SlotPath;
  readonly result?: ResultModel;
  /** Whether store or library compare the owner. */
  readonly ownerCheck?: 'atomic' | 'none';
  /** What a release does to a lock that is not held. */
  readonly ifNotHeld?: 'throws' | 'harmless' | 'deletes-other';
  /** Whether the library prolongs the lock by itself while it is held. */
  readonly renews?: boolean;
}

/** `none`: the lock never ends by itself. `library`: it has a finite TTL of its own. */
export type TtlModel = 'none' | 'library' | { readonly at: SlotPath; readonly unit: 'ms' | 's'; readonly default?: 'none' | 'library' };

/** How a call answers that it won, or lost. */
export type ResultModel =
  | 'boolean' | 'handle-or-null' | 'handle-or-undefined' | 'handle-or-throws' | 'void-or-throws' | 'ok-or-null' | 'count'
  /** An object told by one property. */
  | { readonly tag: string; readonly won: readonly (string | boolean)[]; readonly lost: readonly (string | boolean)[] }
  /** An array with a boolean at one place. */
  | { readonly flag: number };

/** A function or method that moves a step from one state to another. */
export interface StateWriteModel {
  readonly package?: string;
  /** As for locks: `transition`, `StepStore#transition`. */
  readonly call: string;
  /** The table, model or document that is written. */
  readonly target?: string;
  readonly id: SlotPath;
  /** The expected state, compared by the write; absent where it compares none. */
  readonly from?: SlotPath;
  readonly to?: SlotPath | { readonly state: string };
  readonly owner?: SlotPath;
  readonly result?: ResultModel;
}

/** One kind of step state. */
export interface StateTargetModel {
  /** Table, model or document, in any spelling (`step_runs`, `StepRun`), or a `/pattern/`. */
  readonly name: string;
  /** The column that tells the state; default those that are called so (`status`, `state`, `phase`). */
  readonly column?: string;
  readonly inFlight?: readonly string[];
  readonly terminal?: readonly string[];
  /** From each state the states it may go to. */
  readonly transitions?: Readonly<Record<string, readonly string[]>>;
}

/** No more than what declarations and spelling tell. */
export const NO_MODELS: Models = { words: [] };
