import type ts from 'typescript';
import { typeOfBinding } from './declared-binding.js';
import { exportOf, importTarget, type ImportTarget } from './declared-import.js';
import { awaited, memberAt, present, promiseOf, UNKNOWN_TYPE, unionOf } from './declared-member.js';
import { classAround, declaredType, NO_TYPES, TOO_DEEP, signatureOf, typeOfNode } from './declared-node.js';
import { cutShort, remembered } from './declared-memory.js';
import { bare } from './expression.js';
import type { Binding } from './scope.js';
import type { TypeShape } from './type-shape.js';
import type { Unit } from './unit.js';

export { calleeOf } from './declared-callee.js';
export { awaited, memberNames, present } from './declared-member.js';

/** The type of an expression, as far as the declarations that can be read say. */
export function typeOf(unit: Unit, expression: ts.Expression): TypeShape {
  return typeAt(unit, expression, 0);
}

/** The type of a member of a value of the type. */
export function memberOf(type: TypeShape, name: string): TypeShape {
  return memberAt(type, name, 0);
}

/** As `typeOf`, with the number of steps that led here. */
export function typeAt(unit: Unit, expression: ts.Expression, depth: number): TypeShape {
  return remembered(unit, expression, depth, () => readType(unit, expression, depth));
}

function readType(unit: Unit, e: ts.Expression, depth: number): TypeShape {
  const { ts } = unit;
  const next = (x: ts.Expression): TypeShape => typeAt(unit, x, depth + 1);
  if (ts.isParenthesizedExpression(e) || ts.isSatisfiesExpression(e)) return next(e.expression);
  if (ts.isAsExpression(e) || ts.isTypeAssertionExpression(e)) {
    const isConst = ts.isTypeReferenceNode(e.type) && ts.isIdentifier(e.type.typeName) && e.type.typeName.text === 'const';
    return isConst ? next(e.expression) : typeOfNode(unit, e.type, NO_TYPES, depth + 1);
  }
  if (ts.isNonNullExpression(e)) return present(next(e.expression));
  if (ts.isAwaitExpression(e)) return awaited(next(e.expression));
  if (ts.isIdentifier(e)) return e.text === 'undefined' ? { kind: 'primitive', name: 'undefined' } : valueNamed(unit, e.text, e, depth + 1);
  if (e.kind === ts.SyntaxKind.ThisKeyword) return classAround(unit, e);
  if (ts.isPropertyAccessExpression(e)) return staticMember(unit, e, depth) ?? memberAt(next(e.expression), e.name.text, depth + 1);
  if (ts.isElementAccessExpression(e)) {
    const index = bare(unit, e.argumentExpression);
    if (ts.isStringLiteralLike(index) || ts.isNumericLiteral(index)) return memberAt(next(e.expression), index.text, depth + 1);
    const base = next(e.expression);
    return base.kind === 'array' ? base.item : UNKNOWN_TYPE;
  }
  if (ts.isCallExpression(e)) return resultOf(unit, e, depth);
  if (ts.isNewExpression(e)) return instanceOf(unit, e, depth);
  if (ts.isObjectLiteralExpression(e)) return { kind: 'object', declaration: e, unit, typeArguments: [] };
  if (ts.isArrayLiteralExpression(e)) return { kind: 'tuple', items: e.elements.map((x) => (ts.isSpreadElement(x) ? UNKNOWN_TYPE : next(x))) };
  if (ts.isArrowFunction(e) || ts.isFunctionExpression(e)) return { kind: 'function', signature: signatureOf(unit, e, NO_TYPES, depth + 1) };
  if (ts.isConditionalExpression(e)) return unionOf([next(e.whenTrue), next(e.whenFalse)]);
  if (ts.isBinaryExpression(e)) return binaryType(unit, e, next);
  return literalType(unit, e);
}

function literalType(unit: Unit, e: ts.Expression): TypeShape {
  const { ts } = unit;
  if (ts.isStringLiteralLike(e)) return { kind: 'literal', value: e.text };
  if (ts.isNumericLiteral(e)) return { kind: 'literal', value: Number(e.text.replaceAll('_', '')) };
  if (ts.isTemplateExpression(e) || ts.isTypeOfExpression(e)) return { kind: 'primitive', name: 'string' };
  if (e.kind === ts.SyntaxKind.TrueKeyword || e.kind === ts.SyntaxKind.FalseKeyword) return { kind: 'literal', value: e.kind === ts.SyntaxKind.TrueKeyword };
  if (e.kind === ts.SyntaxKind.NullKeyword) return { kind: 'primitive', name: 'null' };
  if (ts.isPrefixUnaryExpression(e)) return { kind: 'primitive', name: e.operator === ts.SyntaxKind.ExclamationToken ? 'boolean' : 'number' };
  return UNKNOWN_TYPE;
}

function binaryType(unit: Unit, e: ts.BinaryExpression, next: (x: ts.Expression) => TypeShape): TypeShape {
  const K = unit.ts.SyntaxKind;
  const op = e.operatorToken.kind;
  if (op === K.EqualsToken || op === K.CommaToken) return next(e.right);
  if (op === K.QuestionQuestionToken || op === K.BarBarToken) return unionOf([present(next(e.left)), next(e.right)]);
  if (op === K.AmpersandAmpersandToken) return next(e.right);
  const compares = [K.EqualsEqualsToken, K.EqualsEqualsEqualsToken, K.ExclamationEqualsToken, K.ExclamationEqualsEqualsToken, K.LessThanToken, K.GreaterThanToken, K.LessThanEqualsToken,
    K.GreaterThanEqualsToken, K.InKeyword, K.InstanceOfKeyword];
  return compares.includes(op) ? { kind: 'primitive', name: 'boolean' } : UNKNOWN_TYPE;
}

/** The type of a value by its name as seen from a node. */
export function valueNamed(unit: Unit, name: string, from: ts.Node, depth: number): TypeShape {
  const binding = unit.scopes.lookup(name, from);
  if (binding === undefined) return UNKNOWN_TYPE;
  if (depth > TOO_DEEP) return cutShort();
  const target = importTarget(unit, binding.declaration);
  if (target === undefined) return typeOfBinding(unit, binding, depth);
  // `const lock = require('./lock')` is what the file exports as a whole.
  if (target.kind === 'file' && target.name === '*' && unit.ts.isVariableDeclaration(binding.declaration)) return exportedValue(target.unit, 'default', depth);
  if (target.kind === 'package') return { kind: 'named', name: target.name, from: target.from, typeArguments: [] };
  return exportedValue(target.unit, target.name, depth);
}

function exportedValue(unit: Unit, name: string, depth: number): TypeShape {
  const found = exportOf(unit, name);
  if (found === undefined) return UNKNOWN_TYPE;
  if ('kind' in found) return found.kind === 'package' ? { kind: 'named', name: found.name, from: found.from, typeArguments: [] } : UNKNOWN_TYPE;
  const binding = found.name === '' ? undefined : found.unit.scopes.lookup(found.name, found.unit.file);
  if (binding !== undefined) return valueNamed(found.unit, found.name, found.unit.file, depth + 1);
  return found.expression === undefined ? UNKNOWN_TYPE : typeAt(found.unit, found.expression, depth + 1);
}

/** `Class.member` and `namespace.member`, which are no members of a type. */
function staticMember(unit: Unit, e: ts.PropertyAccessExpression, depth: number): TypeShape | undefined {
  const { ts } = unit;
  const binding = ts.isIdentifier(e.expression) ? unit.scopes.resolve(e.expression) : undefined;
  if (binding === undefined) return undefined;
  const target = importTarget(unit, binding.declaration);
  const ofClass = classNamed(unit, binding, target);
  if (ofClass !== undefined) return memberAt(ofClass, e.name.text, depth + 1);
  if (target?.name !== '*') return undefined;
  return target.kind === 'file' ? exportedValue(target.unit, e.name.text, depth + 1) : { kind: 'named', name: e.name.text, from: target.from, typeArguments: [] };
}

/** The class that a name stands for, here or in the file it is imported from. Its static members are looked up among all. */
function classNamed(unit: Unit, { declaration, name }: Binding, target: ImportTarget | undefined): (TypeShape & { kind: 'object' }) | undefined {
  const { ts } = unit;
  if (ts.isClassDeclaration(declaration)) return { kind: 'object', name, declaration, unit, typeArguments: [] };
  const found = target?.kind === 'file' && target.name !== '*' ? exportOf(target.unit, target.name) : undefined;
  if (found === undefined || 'kind' in found || found.name === '') return undefined;
  const binding = found.unit.scopes.lookup(found.name, found.unit.file);
  return binding !== undefined && ts.isClassDeclaration(binding.declaration) ? { kind: 'object', name: found.name, declaration: binding.declaration, unit: found.unit, typeArguments: [] } : undefined;
}

/** What a call gives: the declared result; of a function of a package a name that says where it is from. */
function resultOf(unit: Unit, call: ts.CallExpression, depth: number): TypeShape {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (ts.isPropertyAccessExpression(callee) && (callee.name.text === 'catch' || callee.name.text === 'finally')) {
    const before = typeAt(unit, callee.expression, depth + 1);
    const handler = callee.name.text === 'catch' && call.arguments[0] ? typeAt(unit, call.arguments[0], depth + 1) : UNKNOWN_TYPE;
    return handler.kind === 'function' && before.kind !== 'unknown' ? promiseOf(unionOf([awaited(before), awaited(handler.signature.result)])) : before;
  }
  const type = typeAt(unit, callee, depth + 1);
  const explicit = call.typeArguments?.map((t) => typeOfNode(unit, t, NO_TYPES, depth + 1));
  if (type.kind === 'named') return type.from === undefined ? UNKNOWN_TYPE : { ...type, typeArguments: explicit ?? [] };
  const called = present(type);
  if (called.kind !== 'function') return UNKNOWN_TYPE;
  const { declaration, unit: other } = called.signature;
  if (explicit === undefined || !other.ts.isFunctionLike(declaration)) return called.signature.result;
  const env = new Map((declaration.typeParameters ?? []).map((p, i) => [p.name.text, explicit[i] ?? UNKNOWN_TYPE] as const));
  return declaration.type ? typeOfNode(other, declaration.type, env, depth + 1) : called.signature.result;
}

function instanceOf(unit: Unit, e: ts.NewExpression, depth: number): TypeShape {
  const { ts } = unit;
  const args = e.typeArguments?.map((t) => typeOfNode(unit, t, NO_TYPES, depth + 1)) ?? [];
  const callee = bare(unit, e.expression);
  if (ts.isIdentifier(callee)) {
    const declaration = unit.scopes.typeNamed(callee.text, callee);
    if (declaration !== undefined) return declaredType(unit, declaration, args, NO_TYPES, depth + 1);
    const binding = unit.scopes.resolve(callee);
    return binding === undefined ? { kind: 'named', name: callee.text, typeArguments: args } : classExpression(unit, binding);
  }
  const named = typeAt(unit, callee, depth + 1);
  return named.kind === 'named' ? { ...named, typeArguments: args } : UNKNOWN_TYPE;
}

function classExpression(unit: Unit, binding: Binding): TypeShape {
  const { ts } = unit;
  const d = binding.declaration;
  const value = ts.isVariableDeclaration(d) && d.initializer ? bare(unit, d.initializer) : undefined;
  return value && ts.isClassExpression(value) ? { kind: 'object', name: binding.name, declaration: value, unit, typeArguments: [] } : UNKNOWN_TYPE;
}
