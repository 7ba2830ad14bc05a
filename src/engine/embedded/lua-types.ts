/** A key or argument a script uses: `KEYS[1]` is `{ kind: 'key', index: 1 }`. */
export type LuaRef = { readonly kind: 'key'; readonly index: number } | { readonly kind: 'arg'; readonly index: number } | { readonly kind: 'literal'; readonly value: string | number } | { readonly kind: 'other'; readonly text: string };

/** One redis.call / redis.pcall of a script. */
export interface LuaCall {
  /** Lower case: `get`, `set`, `pexpire`. */
  readonly command: string;
  readonly args: readonly LuaRef[];
  /** True when the call only runs after a comparison of the stored value with an argument said equal. */
  readonly underOwnerMatch: boolean;
  /** True when the call only runs after a test said the key is absent (`not v`, `v == false`, `v == nil`, EXISTS == 0). */
  readonly underAbsent: boolean;
}

/** What a script does to its keys as a lock. `opaque`: not understood; it is never called unchecked. */
export interface LuaScript {
  readonly kind: 'acquire' | 'release' | 'extend' | 'guarded-write' | 'read' | 'opaque';
  /** For release and extend: whether every DEL/UNLINK/EXPIRE/SET on the key runs under a match of the owner. */
  readonly ownerCheck: 'atomic' | 'none' | 'unknown';
  /** Extend only: the script also sets the key again when it is absent (a lost lease is revived and reported as kept). */
  readonly recreates: boolean;
  /** Acquire only: a stored value equal to the caller's counts as success (re-entrant by owner). */
  readonly reentrant: boolean;
  readonly key?: LuaRef;
  readonly owner?: LuaRef;
  /** Where the TTL comes from and its unit: EX/EXPIRE seconds, PX/PEXPIRE milliseconds; absent when the script sets none. */
  readonly ttl?: { readonly ref: LuaRef; readonly unit: 's' | 'ms' };
  readonly calls: readonly LuaCall[];
}
