import type ts from 'typescript';
import type { Unit } from './unit.js';

/** A type as far as declarations that can be read say, without a checker. `unknown` where they do not (a package without sources, `any`, inference). */
export type TypeShape =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'primitive'; readonly name: 'string' | 'number' | 'bigint' | 'boolean' | 'void' | 'undefined' | 'null' | 'symbol' | 'never' }
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean }
  | { readonly kind: 'union'; readonly members: readonly TypeShape[] }
  | { readonly kind: 'array'; readonly item: TypeShape }
  | { readonly kind: 'tuple'; readonly items: readonly TypeShape[] }
  | { readonly kind: 'function'; readonly signature: Signature }
  /** An interface, type literal or class that can be read. `name` is that of the declaration, absent for literals. */
  | { readonly kind: 'object'; readonly name?: string; readonly declaration: ts.Node; readonly unit: Unit; readonly typeArguments: readonly TypeShape[] }
  /** A name that leads to no readable declaration: from a package (`from`), or a global. `name` is the exported name (`default` for default imports). */
  | { readonly kind: 'named'; readonly name: string; readonly from?: string; readonly typeArguments: readonly TypeShape[] };

/** How a function may be called and what it gives. */
export interface Signature {
  readonly parameters: readonly SignatureParameter[];
  /** As declared; `awaited` strips the promise. */
  readonly result: TypeShape;
  /** The declaration: a method signature, function, arrow, ... and its file. */
  readonly declaration: ts.Node;
  readonly unit: Unit;
}
export interface SignatureParameter {
  /** Empty for destructuring patterns. */
  readonly name: string;
  readonly optional: boolean;
  readonly rest: boolean;
  readonly type: TypeShape;
}

/** What a call calls, as far as declarations say. */
export interface Callee {
  readonly signature: Signature;
  /** The function or method with a body, when it is readable; its file is `signature.unit`. */
  readonly body?: ts.FunctionLikeDeclaration;
  /** The object type whose member is called: an interface, class or object literal. */
  readonly owner?: TypeShape & { readonly kind: 'object' };
}
