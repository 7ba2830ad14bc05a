/** The syntax tree of a script, as far as a lock script needs it. Every expression carries its source text. */
export type LuaExpression = { readonly text: string } & (
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly object: LuaExpression; readonly key: LuaExpression }
  | { readonly kind: 'call'; readonly callee: LuaExpression; readonly args: readonly LuaExpression[] }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: LuaExpression; readonly right: LuaExpression }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: LuaExpression }
  | { readonly kind: 'function'; readonly params: readonly string[]; readonly body: LuaBlock }
  | { readonly kind: 'table'; readonly items: readonly LuaExpression[] }
  | { readonly kind: 'other' }
);

export type LuaBlock = readonly LuaStatement[];

export type LuaStatement =
  | { readonly kind: 'local'; readonly names: readonly string[]; readonly values: readonly LuaExpression[] }
  | { readonly kind: 'assign'; readonly targets: readonly LuaExpression[]; readonly values: readonly LuaExpression[] }
  | { readonly kind: 'call'; readonly call: LuaExpression }
  /** The branches in order; `otherwise` is the ELSE. */
  | { readonly kind: 'if'; readonly branches: readonly { readonly test: LuaExpression; readonly body: LuaBlock }[]; readonly otherwise?: LuaBlock }
  | { readonly kind: 'loop'; readonly names: readonly string[]; readonly over: readonly LuaExpression[]; readonly body: LuaBlock }
  | { readonly kind: 'block'; readonly body: LuaBlock }
  | { readonly kind: 'return'; readonly values: readonly LuaExpression[] }
  | { readonly kind: 'break' };
