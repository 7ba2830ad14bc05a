/**
 * What the engine reads out of SQL text. The text comes in parts: `parts.length - 1` holes stand between them (template holes, concatenated
 * expressions). Anything not understood is `other` or `opaque`, never a guess.
 */
export type SqlValue =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  /** A template hole, by index from 0. */
  | { readonly kind: 'hole'; readonly index: number }
  /** A bound parameter: `$2` and `?` by that name, with an index from 0; `:owner`, `@owner`, `$owner` are named `owner`; `$${n}` is `{hole:n}`. */
  | { readonly kind: 'param'; readonly name: string; readonly index?: number }
  | { readonly kind: 'column'; readonly name: string; readonly table?: string }
  /** A cast is dropped. Functions, arithmetic, CASE, EXCLUDED.x ...: text, the columns and holes named in it, and function names, lower case. */
  | { readonly kind: 'expression'; readonly text: string; readonly columns: readonly string[]; readonly calls: readonly string[]; readonly holes: readonly number[]; readonly params: readonly string[]; readonly literals: readonly (string | number)[] }
  | { readonly kind: 'subquery'; readonly select: SqlSelect };

export type SqlOperator = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'is null' | 'is not null' | 'like' | 'other';

/** A condition tree. A hole or a piece that is not understood is `opaque`: it may hold a guard. */
export type SqlCondition =
  | { readonly kind: 'and'; readonly items: readonly SqlCondition[] }
  | { readonly kind: 'or'; readonly items: readonly SqlCondition[] }
  | { readonly kind: 'not'; readonly item: SqlCondition }
  /** `left op values`; `left` is a column in nearly all statements. `a = ANY($1)` is `in` with one value; `x IN (subquery)` has a subquery value. */
  | { readonly kind: 'compare'; readonly column: string; readonly table?: string; readonly op: SqlOperator; readonly values: readonly SqlValue[] }
  | { readonly kind: 'exists'; readonly select: SqlSelect }
  | { readonly kind: 'opaque'; readonly text: string; readonly holes: readonly number[] };

export interface SqlAssignment { readonly column: string; readonly value: SqlValue }

/**
 * A derived table (`FROM (SELECT ...) AS x`) is listed under `ctes` like a CTE named `x`.
 * Identifiers are unquoted, lower case is kept as written; the schema is dropped (`public.jobs` is `jobs`). A hole as name is `{hole:n}`. */
export interface SqlUpdate {
  readonly type: 'update';
  readonly table: string;
  readonly alias?: string;
  readonly set: readonly SqlAssignment[];
  /** True when the SET list holds a hole of its own (`SET ${fields}`), so that columns may be missing from `set`. */
  readonly setOpen: boolean;
  readonly from: readonly string[];
  readonly where?: SqlCondition;
  readonly returning: boolean;
  readonly ctes: readonly SqlCte[];
}
export interface SqlInsert {
  readonly type: 'insert';
  readonly table: string;
  readonly columns: readonly string[];
  /** The first row; the hole itself for `INSERT INTO t ${sql(rows)}`. */
  readonly values: readonly SqlValue[];
  readonly select?: SqlSelect;
  /** `setOpen` as in {@link SqlUpdate}. REPLACE INTO is an update of all inserted columns, with an empty target. */
  readonly onConflict?: { readonly action: 'nothing' } | { readonly action: 'update'; readonly target: readonly string[]; readonly set: readonly SqlAssignment[]; readonly setOpen: boolean; readonly where?: SqlCondition };
  readonly returning: boolean;
  /** Holes where a further clause may stand (`VALUES (...) ${onConflict}`). */
  readonly openTail: readonly number[];
  readonly ctes: readonly SqlCte[];
}
export interface SqlDelete {
  readonly type: 'delete';
  readonly table: string;
  readonly where?: SqlCondition;
  readonly returning: boolean;
  readonly ctes: readonly SqlCte[];
}
export interface SqlSelect {
  readonly type: 'select';
  /** Output columns: name (alias when given), and the value. `*` is a column named `*`. */
  readonly columns: readonly { readonly name: string; readonly value: SqlValue }[];
  readonly from: readonly string[];
  readonly where?: SqlCondition;
  /** FOR UPDATE and its kin. */
  readonly lock?: { readonly mode: 'update' | 'no key update' | 'share' | 'key share'; readonly wait: 'wait' | 'nowait' | 'skip locked' };
  readonly limit?: SqlValue;
  /** Holes behind LIMIT, ORDER BY or FOR UPDATE, where a row lock may stand (`LIMIT 1 ${lock}`). */
  readonly openTail: readonly number[];
  readonly ctes: readonly SqlCte[];
}
export interface SqlCte { readonly name: string; readonly statement: SqlStatement }
/** BEGIN, COMMIT, ROLLBACK, SAVEPOINT ..., SET TRANSACTION; isolation in lower case (`serializable`, `repeatable read`) when named. */
export interface SqlTransaction { readonly type: 'begin' | 'commit' | 'rollback' | 'savepoint' | 'set-transaction'; readonly isolation?: string; readonly immediate?: boolean }
export interface SqlOther { readonly type: 'other'; readonly text: string }
export type SqlStatement = SqlUpdate | SqlInsert | SqlDelete | SqlSelect | SqlTransaction | SqlOther;

/** An advisory or named lock function found anywhere in a statement. */
export interface SqlLockCall {
  readonly function: string;
  readonly operation: 'acquire' | 'try-acquire' | 'release' | 'release-all';
  readonly scope: 'session' | 'transaction';
  readonly shared: boolean;
  readonly args: readonly SqlValue[];
  /** Name of the output column that carries the answer (alias or function name); absent when not in the output list. */
  readonly column?: string;
}
