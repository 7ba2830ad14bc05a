import type ts from 'typescript';
import { exportOf, importTarget, type ImportTarget } from './declared-import.js';
import { awaited, memberAt, present, promiseOf, UNKNOWN_TYPE, unionOf } from './declared-member.js';
import { cutShort } from './declared-memory.js';
import { typeAt, valueNamed } from './declared-type.js';
import type { Signature, TypeShape } from './type-shape.js';
import type { Unit } from './unit.js';

/** What type parameters stand for, by name. */
export type TypeEnv = ReadonlyMap<string, TypeShape>;
export const NO_TYPES: TypeEnv = new Map();
/** Declarations may be circular: beyond this many steps a type is unknown. */
export const TOO_DEEP = 18;

/** The type that an annotation spells. */
export function typeOfNode(unit: Unit, node: ts.TypeNode | undefined, env: TypeEnv = NO_TYPES, depth = 0): TypeShape {
  const { ts } = unit;
  if (depth > TOO_DEEP) return cutShort();
  if (node === undefined) return UNKNOWN_TYPE;
  const next = (n: ts.TypeNode | undefined): TypeShape => typeOfNode(unit, n, env, depth + 1);
  const primitive = PRIMITIVES.get(ts.SyntaxKind[node.kind]);
  if (primitive !== undefined) return { kind: 'primitive', name: primitive };
  if (ts.isParenthesizedTypeNode(node)) return next(node.type);
  if (ts.isUnionTypeNode(node)) return unionOf(node.types.map(next));
  if (ts.isArrayTypeNode(node)) return { kind: 'array', item: next(node.elementType) };
  if (ts.isTupleTypeNode(node)) return { kind: 'tuple', items: node.elements.map((e) => next(ts.isNamedTupleMember(e) ? e.type : e)) };
  if (ts.isTypeLiteralNode(node) || ts.isIntersectionTypeNode(node)) return { kind: 'object', declaration: node, unit, typeArguments: argumentsOf(unit, node, env) };
  if (ts.isFunctionTypeNode(node)) return { kind: 'function', signature: signatureOf(unit, node, env, depth + 1) };
  if (ts.isTypePredicateNode(node)) return { kind: 'primitive', name: node.assertsModifier ? 'void' : 'boolean' };
  if (ts.isTypeOperatorNode(node)) return node.operator === ts.SyntaxKind.ReadonlyKeyword ? next(node.type) : UNKNOWN_TYPE;
  if (ts.isLiteralTypeNode(node)) return literalType(unit, node.literal);
  if (ts.isTypeQueryNode(node)) return queried(unit, node, depth);
  if (ts.isIndexedAccessTypeNode(node)) {
    const index = next(node.indexType);
    return index.kind === 'literal' ? memberAt(next(node.objectType), String(index.value), depth + 1) : UNKNOWN_TYPE;
  }
  if (ts.isThisTypeNode(node)) return classAround(unit, node);
  if (ts.isTypeReferenceNode(node)) return referenced(unit, node.typeName, node.typeArguments?.map(next) ?? [], env, depth);
  if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) return referenced(unit, node.expression, node.typeArguments?.map(next) ?? [], env, depth);
  return UNKNOWN_TYPE;
}

/** `typeof x`, and `typeof namespace.x` of a package, which stands for its export. */
function queried(unit: Unit, { exprName }: ts.TypeQueryNode, depth: number): TypeShape {
  const { ts } = unit;
  if (ts.isIdentifier(exprName)) return valueNamed(unit, exprName.text, exprName, depth + 1);
  const binding = ts.isIdentifier(exprName.left) ? unit.scopes.resolve(exprName.left) : undefined;
  const target = binding && importTarget(unit, binding.declaration);
  return target?.kind === 'package' ? { kind: 'named', name: target.name === '*' ? exprName.right.text : target.name, from: target.from, typeArguments: [] } : UNKNOWN_TYPE;
}

const PRIMITIVES = new Map<string, (TypeShape & { kind: 'primitive' })['name']>([
  ['StringKeyword', 'string'], ['NumberKeyword', 'number'], ['BigIntKeyword', 'bigint'], ['BooleanKeyword', 'boolean'], ['VoidKeyword', 'void'],
  ['UndefinedKeyword', 'undefined'], ['SymbolKeyword', 'symbol'], ['NeverKeyword', 'never'],
]);

function literalType(unit: Unit, node: ts.Expression): TypeShape {
  const { ts } = unit;
  if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: 'primitive', name: 'null' };
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) return { kind: 'literal', value: node.kind === ts.SyntaxKind.TrueKeyword };
  if (ts.isStringLiteralLike(node)) return { kind: 'literal', value: node.text };
  return ts.isNumericLiteral(node) ? { kind: 'literal', value: Number(node.text) } : UNKNOWN_TYPE;
}

/** A named type: declared here or in a reachable file, of a package, or global. */
function referenced(unit: Unit, name: ts.EntityName, args: readonly TypeShape[], env: TypeEnv, depth: number): TypeShape {
  const { ts } = unit;
  if (ts.isQualifiedName(name)) {
    const head = ts.isIdentifier(name.left) ? unit.scopes.typeNamed(name.left.text, name) : undefined;
    const target = head && importTarget(unit, head);
    if (target === undefined) return UNKNOWN_TYPE;
    return target.kind === 'package' ? { kind: 'named', name: name.right.text, from: target.from, typeArguments: args } : importedType({ ...target, name: name.right.text }, args, depth);
  }
  const declaration = unit.scopes.typeNamed(name.text, name);
  if (declaration !== undefined) return declaredType(unit, declaration, args, env, depth);
  return builtIn(name.text, args, depth);
}

/** The type that a declaration of a type introduces. */
export function declaredType(unit: Unit, declaration: ts.Declaration, args: readonly TypeShape[], env: TypeEnv, depth: number): TypeShape {
  const { ts } = unit;
  if (depth > TOO_DEEP) return cutShort();
  if (ts.isTypeParameterDeclaration(declaration)) return env.get(declaration.name.text) ?? typeOfNode(unit, declaration.constraint, env, depth + 1);
  if (ts.isInterfaceDeclaration(declaration)) return { kind: 'object', name: declaration.name.text, declaration, unit, typeArguments: args };
  if (ts.isClassDeclaration(declaration)) return { kind: 'object', ...(declaration.name ? { name: declaration.name.text } : {}), declaration, unit, typeArguments: args };
  if (ts.isTypeAliasDeclaration(declaration)) {
    const shape = typeOfNode(unit, declaration.type, envOf(unit, declaration.typeParameters, args, depth), depth + 1);
    return shape.kind === 'object' && shape.declaration === declaration.type ? { ...shape, name: declaration.name.text } : shape;
  }
  const target = importTarget(unit, declaration);
  return target === undefined ? UNKNOWN_TYPE : importedType(target, args, depth);
}

function importedType(target: ImportTarget, args: readonly TypeShape[], depth: number): TypeShape {
  if (target.kind === 'package') return { kind: 'named', name: target.name, from: target.from, typeArguments: args };
  const found = exportOf(target.unit, target.name);
  if (found === undefined) return UNKNOWN_TYPE;
  if ('kind' in found) return found.kind === 'package' ? importedType(found, args, depth) : UNKNOWN_TYPE;
  const declaration = found.unit.scopes.typeNamed(found.name, found.unit.file);
  return declaration === undefined ? UNKNOWN_TYPE : declaredType(found.unit, declaration, args, NO_TYPES, depth + 1);
}

/** Utility types hand their members on; what they take away matters to the checker only. A class of a package goes by one name, as value and as instance. */
const TRANSPARENT = new Set(['Readonly', 'Partial', 'Required', 'Pick', 'Omit', 'InstanceType']);

function builtIn(name: string, args: readonly TypeShape[], depth: number): TypeShape {
  const first = args[0] ?? UNKNOWN_TYPE;
  if (name === 'Array' || name === 'ReadonlyArray') return { kind: 'array', item: first };
  if (TRANSPARENT.has(name)) return first;
  if (name === 'NonNullable') return present(first);
  if (name === 'Awaited') return awaited(first);
  if (name === 'ReturnType') return first.kind === 'function' ? first.signature.result : UNKNOWN_TYPE;
  if (name === 'any' || depth > TOO_DEEP) return UNKNOWN_TYPE;
  return { kind: 'named', name, typeArguments: args };
}

/** Binds type parameters to arguments, missing ones to their defaults. */
export function envOf(unit: Unit, parameters: readonly ts.TypeParameterDeclaration[] | undefined, args: readonly TypeShape[], depth: number): TypeEnv {
  const env = new Map<string, TypeShape>();
  for (const [i, p] of (parameters ?? []).entries()) env.set(p.name.text, args[i] ?? typeOfNode(unit, p.default ?? p.constraint, env, depth + 1));
  return env;
}

/** A literal inside a generic alias carries what the alias' parameters stand for. */
function argumentsOf(unit: Unit, node: ts.Node, env: TypeEnv): TypeShape[] {
  return (parametersAround(unit, node) ?? []).map((p) => env.get(p.name.text) ?? UNKNOWN_TYPE);
}

/** The type parameters in whose terms the members of a declaration are spelled. */
export function parametersAround(unit: Unit, node: ts.Node): readonly ts.TypeParameterDeclaration[] | undefined {
  const { ts } = unit;
  for (let n: ts.Node | undefined = node; n; n = n.parent) {
    if (ts.isInterfaceDeclaration(n) || ts.isTypeAliasDeclaration(n) || ts.isClassLike(n)) return n.typeParameters;
  }
  return undefined;
}

/** The instance type of the class a node stands in. */
export function classAround(unit: Unit, node: ts.Node): TypeShape {
  const { ts } = unit;
  for (let n: ts.Node | undefined = node.parent; n; n = n.parent) {
    if (ts.isClassLike(n) || ts.isInterfaceDeclaration(n)) return { kind: 'object', ...(n.name === undefined ? {} : { name: n.name.text }), declaration: n, unit, typeArguments: [] };
    if (ts.isMethodDeclaration(n) && ts.isObjectLiteralExpression(n.parent)) return { kind: 'object', declaration: n.parent, unit, typeArguments: [] };
    // A plain function has a `this` of its own.
    if (ts.isFunctionDeclaration(n) || ts.isFunctionExpression(n)) return UNKNOWN_TYPE;
  }
  return UNKNOWN_TYPE;
}

/** The signature of a function, method or function type. Without an annotation the result is that of an expression body, or of the `return`s. */
export function signatureOf(unit: Unit, node: ts.SignatureDeclaration, env: TypeEnv, depth: number): Signature {
  const parameters = node.parameters.map((p) => ({
    name: unit.ts.isIdentifier(p.name) ? p.name.text : '',
    optional: p.questionToken !== undefined || p.initializer !== undefined,
    rest: p.dotDotDotToken !== undefined,
    type: p.type ? typeOfNode(unit, p.type, env, depth + 1) : p.initializer ? typeAt(unit, p.initializer, depth + 1) : UNKNOWN_TYPE,
  }));
  const result = node.type ? typeOfNode(unit, node.type, env, depth + 1) : inferredResult(unit, node, depth);
  return { parameters, result, declaration: node, unit };
}

function inferredResult(unit: Unit, node: ts.SignatureDeclaration, depth: number): TypeShape {
  const { ts } = unit;
  if (depth > TOO_DEEP) return cutShort();
  if (!('body' in node) || node.body === undefined || ('asteriskToken' in node && node.asteriskToken !== undefined)) return UNKNOWN_TYPE;
  const isAsync = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) === true;
  const results: TypeShape[] = [];
  if (!ts.isBlock(node.body)) results.push(typeAt(unit, node.body, depth + 2));
  else collect(node.body);
  const result = results.length === 0 ? { kind: 'primitive', name: 'void' } as const : unionOf(results);
  return isAsync ? promiseOf(awaited(result)) : result;

  function collect(n: ts.Node): void {
    if (ts.isReturnStatement(n)) results.push(n.expression ? typeAt(unit, n.expression, depth + 2) : { kind: 'primitive', name: 'undefined' });
    else if (!ts.isFunctionLike(n) && !ts.isClassLike(n) && results.length < 6) ts.forEachChild(n, collect);
  }
}
