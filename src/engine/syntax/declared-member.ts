import type ts from 'typescript';
import { envOf, parametersAround, signatureOf, TOO_DEEP, typeOfNode, type TypeEnv } from './declared-node.js';
import { cutShort } from './declared-memory.js';
import { typeAt } from './declared-type.js';
import { nameText } from './expression.js';
import type { TypeShape } from './type-shape.js';
import type { Unit } from './unit.js';

type ObjectShape = TypeShape & { readonly kind: 'object' };

export const UNKNOWN_TYPE: TypeShape = { kind: 'unknown' };

/** A union without nesting and without repeated primitives. One member is the member itself. */
export function unionOf(types: readonly TypeShape[]): TypeShape {
  const flat: TypeShape[] = [];
  for (const t of types.flatMap((m) => (m.kind === 'union' ? m.members : [m]))) {
    const known = flat.some((f) => f === t || (f.kind === 'unknown' && t.kind === 'unknown') || (f.kind === 'primitive' && t.kind === 'primitive' && f.name === t.name)
      || (f.kind === 'literal' && t.kind === 'literal' && f.value === t.value) || (f.kind === 'object' && t.kind === 'object' && f.declaration === t.declaration));
    if (!known && !(t.kind === 'primitive' && t.name === 'never')) flat.push(t);
  }
  const only = flat[0];
  return flat.length === 1 && only !== undefined ? only : { kind: 'union', members: flat };
}

/** Whether the type is null, undefined or void. */
export function isNothing(type: TypeShape): boolean {
  return type.kind === 'primitive' && (type.name === 'null' || type.name === 'undefined' || type.name === 'void');
}

/** The type without null and undefined. */
export function present(type: TypeShape): TypeShape {
  return type.kind === 'union' ? unionOf(type.members.filter((m) => !isNothing(m))) : type;
}

export function promiseOf(type: TypeShape): TypeShape {
  return { kind: 'named', name: 'Promise', typeArguments: [type] };
}

/** The type of `await x` for an `x` of the type: promises are unwrapped, in unions too. */
export function awaited(type: TypeShape): TypeShape {
  if (type.kind === 'union') return unionOf(type.members.map(awaited));
  if (type.kind === 'named' && type.from === undefined && (type.name === 'Promise' || type.name === 'PromiseLike')) return awaited(type.typeArguments[0] ?? UNKNOWN_TYPE);
  return type;
}

/** The type of a member of a value of the type, null and undefined left aside. */
export function memberAt(type: TypeShape, name: string, depth: number): TypeShape {
  if (depth > TOO_DEEP) return cutShort();
  if (type.kind === 'union') {
    const found = present(type);
    return found.kind === 'union' ? unionOf(found.members.map((m) => memberAt(m, name, depth + 1))) : memberAt(found, name, depth + 1);
  }
  if (type.kind === 'tuple') return type.items[Number(name)] ?? UNKNOWN_TYPE;
  if (type.kind === 'array') return /^\d+$/.test(name) ? type.item : UNKNOWN_TYPE;
  if (type.kind !== 'object') return UNKNOWN_TYPE;
  const found = memberOfObject(type, name, depth);
  return found === undefined ? UNKNOWN_TYPE : typeOfMember(found, depth);
}

/** A member and the terms in which it is spelled. */
export interface FoundMember {
  readonly unit: Unit;
  readonly node: ts.Node;
  readonly env: TypeEnv;
}

/** Looks a member up in a declaration and in what it extends. */
export function memberOfObject(type: ObjectShape, name: string, depth = 0): FoundMember | undefined {
  const { unit, declaration } = type;
  const { ts } = unit;
  if (depth > TOO_DEEP) {
    cutShort();
    return undefined;
  }
  const env = envOf(unit, parametersAround(unit, declaration), type.typeArguments, depth);
  if (ts.isIntersectionTypeNode(declaration)) return inTypes(unit, declaration.types, name, env, depth);
  if (ts.isObjectLiteralExpression(declaration)) {
    const node = declaration.properties.find((p) => p.name !== undefined && nameText(unit, p.name) === name);
    return node && { unit, node, env };
  }
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isTypeLiteralNode(declaration) && !ts.isClassLike(declaration)) return undefined;
  for (const m of declaration.members) {
    if (m.name !== undefined && nameText(unit, m.name) === name) return { unit, node: m, env };
    if (!ts.isConstructorDeclaration(m)) continue;
    const property = m.parameters.find((p) => ts.isIdentifier(p.name) && p.name.text === name && p.modifiers !== undefined && p.modifiers.length > 0);
    if (property !== undefined) return { unit, node: property, env };
  }
  if (ts.isTypeLiteralNode(declaration)) return undefined;
  const heritage = declaration.heritageClauses ?? [];
  // What a class implements tells less than what it has, but more than nothing.
  return inTypes(unit, heritage.flatMap((h) => [...h.types]), name, env, depth);
}

function inTypes(unit: Unit, types: readonly ts.TypeNode[], name: string, env: TypeEnv, depth: number): FoundMember | undefined {
  for (const t of types) {
    const base = typeOfNode(unit, t, env, depth + 1);
    const found = base.kind === 'object' ? memberOfObject(base, name, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The type that a member declares. */
export function typeOfMember({ unit, node, env }: FoundMember, depth: number): TypeShape {
  const { ts } = unit;
  if (ts.isMethodSignature(node) || ts.isMethodDeclaration(node)) return { kind: 'function', signature: signatureOf(unit, node, env, depth + 1) };
  if (ts.isGetAccessorDeclaration(node)) return signatureOf(unit, node, env, depth + 1).result;
  if (ts.isPropertyAssignment(node)) return typeAt(unit, node.initializer, depth + 1);
  if (ts.isShorthandPropertyAssignment(node)) return typeAt(unit, node.name, depth + 1);
  if (!ts.isPropertySignature(node) && !ts.isPropertyDeclaration(node) && !ts.isParameter(node)) return UNKNOWN_TYPE;
  const declared = node.type ? typeOfNode(unit, node.type, env, depth + 1) : undefined;
  const optional = node.questionToken !== undefined;
  if (declared !== undefined) return optional ? unionOf([declared, { kind: 'primitive', name: 'undefined' }]) : declared;
  return !ts.isPropertySignature(node) && node.initializer ? typeAt(unit, node.initializer, depth + 1) : UNKNOWN_TYPE;
}

/** The names of the members of a declaration and of what it extends. Disposal by a global interface counts as its method. */
export function memberNames(type: ObjectShape, depth = 0): string[] {
  const { unit, declaration } = type;
  const { ts } = unit;
  if (depth > TOO_DEEP) return [];
  const inherited = (types: readonly ts.TypeNode[]): string[] => types.flatMap((t) => {
    const base = typeOfNode(unit, t, undefined, depth + 1);
    if (base.kind === 'named' && base.from === undefined) return DISPOSAL.get(base.name) ?? [];
    return base.kind === 'object' ? memberNames(base, depth + 1) : [];
  });
  if (ts.isIntersectionTypeNode(declaration)) return inherited(declaration.types);
  if (ts.isObjectLiteralExpression(declaration)) return declaration.properties.flatMap((p) => (p.name === undefined ? [] : [nameText(unit, p.name)]));
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isTypeLiteralNode(declaration) && !ts.isClassLike(declaration)) return [];
  const own = declaration.members.flatMap((m) => (m.name === undefined ? [] : [nameText(unit, m.name)]));
  return ts.isTypeLiteralNode(declaration) ? own : [...new Set([...own, ...inherited((declaration.heritageClauses ?? []).flatMap((h) => [...h.types]))])];
}

const DISPOSAL = new Map([['AsyncDisposable', ['[Symbol.asyncDispose]']], ['Disposable', ['[Symbol.dispose]']]]);
