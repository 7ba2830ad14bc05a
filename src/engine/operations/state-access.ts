import type ts from 'typescript';
import type { Term } from '../syntax/term.js';
import type { ResultForm } from './result-form.js';

/** The call or tagged template whose evaluation runs the statement: the whole builder chain, without `await`. */
export type AccessNode = ts.CallExpression | ts.TaggedTemplateExpression;

/** One condition on a column of the row that is written or read. Conditions of a list hold together (AND). */
export interface ColumnCondition {
  /** As the code spells it: `status`, `lease_owner`, `lockedAt`. The property path of nested documents is joined with dots. */
  readonly column: string;
  readonly op: 'eq' | 'in' | 'ne' | 'not-in' | 'lt' | 'lte' | 'gt' | 'gte' | 'is-null' | 'not-null' | 'other';
  /** One value for eq, ne and orders; all of them for in and not-in when they are visible, else the one term of the list. Empty where nothing is known. */
  readonly values: readonly Term[];
  /** The value is spelled in the statement itself or bound to it; `store` where the store computes it (`now()`, another column, a subquery). */
  readonly source: 'code' | 'store';
  /** Part of an OR, or set only on some paths, or possibly undefined and then dropped: it may not hold. */
  readonly mayBeAbsent: boolean;
}

/** One column that a write sets. */
export interface ColumnAssignment {
  readonly column: string;
  /** Undefined where the code does not show it. */
  readonly value: Term | undefined;
  /** The expression of the value, where there is one in the code. */
  readonly node: ts.Expression | undefined;
  /**
   * `code`: a value the program computed. `old-value`: the store computes it from the column's own old value (`retries + 1`, `jsonb_set(results, ..)`, `$inc`).
   * `store`: the store computes it from other things (`now()`, a CASE, another column).
   */
  readonly source: 'code' | 'old-value' | 'store';
}

interface AccessBase {
  readonly node: AccessNode;
  /** `pg`, `postgres.js`, `mysql2`, `sqlite`, `prisma`, `drizzle`, `typeorm`, `knex`, `kysely`, `mongodb`, `mongoose`, `sequelize`, `mikro-orm`, `supabase`, `sql`, `repository`, `structural`. */
  readonly layer: string;
  /** Whether the layer is proven by an import or declared package type (`package`), by its unmistakable spelling (`shape`), or by a method name alone (`name`). */
  readonly evidence: 'package' | 'shape' | 'name';
  /** Table, model, entity or collection as the code spells it (`step_runs`, `StepRun`); undefined where it is not visible. */
  readonly target: string | undefined;
  /** The client, transaction or session the statement runs on: `db`, `tx`, `this.pool`. Undefined where it is not visible. */
  readonly client: Term | undefined;
  readonly where: readonly ColumnCondition[];
  /** A part of the condition was not understood or comes from elsewhere: a guard may hide there. */
  readonly whereOpen: boolean;
}

/** A durable write to rows that exist already (update, upsert, save of a loaded object, delete), as the code spells it. Inserts alone are none. */
export interface StateWrite extends AccessBase {
  readonly kind: 'write';
  /**
   * `update`: conditions choose the rows. `upsert`: creates or overwrites; `where` is that of the overwriting part. `save`: writes back a loaded object, `where` is its identity.
   * `persist`: a call of a store by identity and whole value (`persist(id, snapshot)`). `verb`: a repository verb (`markRunning(id)`, `updateStatus(id, to)`). `delete`.
   * `transition`: a guard object's `transition(id, from, to, owner)`.
   */
  readonly verb: 'update' | 'upsert' | 'save' | 'persist' | 'verb' | 'delete' | 'transition';
  readonly set: readonly ColumnAssignment[];
  /** Columns may be missing from `set`: a spread, a variable, a builder. */
  readonly setOpen: boolean;
  /** The rows are chosen by a query in the same statement that locks them (FOR UPDATE [SKIP LOCKED]). */
  readonly locksRows: boolean;
  /** How a hit is told from a miss. For unguarded writes: how existence is told. */
  readonly result: ResultForm;
  /** For `save` and mutate-and-flush: the load that gave the object. */
  readonly loadedBy?: AccessNode;
  /** The user said that it is one. */
  readonly told?: true;
  /** The name of the called method, for verbs. */
  readonly method: string;
}

/** A read of rows. */
export interface StateRead extends AccessBase {
  readonly kind: 'read';
  /** Row lock taken by the read: FOR UPDATE and its kin. */
  readonly lock: 'none' | 'wait' | 'nowait' | 'skip-locked';
  /** At most one row. */
  readonly single: boolean;
}

/** A stretch of code that runs in one transaction of the store. */
export interface TransactionScope {
  readonly kind: 'transaction';
  /** `$transaction(async tx => ..)`, `db.transaction(fn)`, `sql.begin(fn)`: the call; for BEGIN .. COMMIT the BEGIN call. */
  readonly node: AccessNode;
  /** The callback whose body runs inside; undefined for BEGIN .. COMMIT and batch arrays. */
  readonly body: ts.FunctionLikeDeclaration | undefined;
  /** The transaction's own client: the callback's parameter, or the connection of BEGIN. */
  readonly client: Term | undefined;
  readonly isolation: 'serializable' | 'repeatable-read' | 'default';
  /** BEGIN IMMEDIATE, a synchronous SQLite transaction: no other writer can come between. */
  readonly exclusive: boolean;
}

export type StateAccess = StateWrite | StateRead | TransactionScope;
