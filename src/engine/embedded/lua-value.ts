import type { LuaFacts } from './lua-facts.js';
import type { LuaBlock } from './lua-syntax.js';
import type { LuaRef } from './lua-types.js';

/** What an expression of a script stands for. */
export type LuaValue =
  | { readonly kind: 'ref'; readonly ref: LuaRef }
  | { readonly kind: 'constant'; readonly value: boolean | null }
  /** Read from a key (GET, HGET …), or computed from such a value. */
  | { readonly kind: 'stored'; readonly key: LuaRef | undefined; readonly direct: boolean }
  /** The count an EXISTS or HEXISTS answers; `owner` when a field named by an argument was looked for. */
  | { readonly kind: 'exists'; readonly key: LuaRef | undefined; readonly owner?: LuaRef }
  /** The answer of a comparison, kept in a variable. */
  | { readonly kind: 'test'; readonly yes: LuaFacts; readonly no: LuaFacts }
  /** The answer of a command that writes. */
  | { readonly kind: 'reply'; readonly command: string; readonly nx: boolean }
  /** Computed from arguments, not from what is stored. */
  | { readonly kind: 'argument'; readonly text: string }
  | { readonly kind: 'keys' } | { readonly kind: 'args' } | { readonly kind: 'command-call' }
  /** A loop counter over KEYS. */
  | { readonly kind: 'counter' }
  | { readonly kind: 'function'; readonly params: readonly string[]; readonly body: LuaBlock }
  | { readonly kind: 'unknown'; readonly text: string };

/** The value as an argument of a command. */
export function toRef(value: LuaValue, text: string): LuaRef {
  return value.kind === 'ref' ? value.ref : { kind: 'other', text };
}

/** Whether two references name the same key or argument. */
export function sameRef(a: LuaRef | undefined, b: LuaRef | undefined): boolean {
  return a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

/** Whether the value is the caller's: an ARGV, or computed from one. */
export function isCallers(value: LuaValue): boolean {
  return value.kind === 'argument' || (value.kind === 'ref' && value.ref.kind === 'arg');
}

/** Variables by name, innermost scope first. */
export interface LuaScope { readonly parent?: LuaScope; readonly names: Map<string, LuaValue> }

/** The value of a variable, or undefined when it was never set. */
export function lookUp(scope: LuaScope, name: string): LuaValue | undefined {
  for (let at: LuaScope | undefined = scope; at !== undefined; at = at.parent) {
    const value = at.names.get(name);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

/** Assigns a variable. One of an outer scope may keep its old value on another way through the script, so it becomes unknown. */
export function assign(scope: LuaScope, name: string, value: LuaValue): void {
  for (let at: LuaScope | undefined = scope; at !== undefined; at = at.parent) {
    if (at.names.has(name)) {
      at.names.set(name, at === scope ? value : { kind: 'unknown', text: name });
      return;
    }
  }
  scope.names.set(name, value);
}
