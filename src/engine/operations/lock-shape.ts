import type ts from 'typescript';
import { bare, nameText, propertyOf } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import type { Operation, TtlGiven } from './operation.js';
import { BOOLEAN_FORM, handleOrNothingForm, handleOrThrowsForm, UNKNOWN_FORM, VOID_OR_THROWS_FORM, type ResultForm } from './result-form.js';

/** The role a method name plays, where a second method of the type plays the counterpart. */
function roleOf(name: string): 'acquire' | 'release' | 'extend' | undefined {
  if (/^(tryA|a)cquire(\w*(Lock|Lease))?$|^(tryL|l)ock$/.test(name)) return 'acquire';
  if (/^release(\w*(Lock|Lease))?$|^unlock$/.test(name)) return 'release';
  return /^(extend|renew|prolong)(\w*(Lock|Lease))?$/.test(name) ? 'extend' : undefined;
}

type Method = ts.MethodSignature | ts.MethodDeclaration;

/**
 * A call of a lock interface of the project's own, as `StepLock`: its declared type has a method that takes the lock and one that frees it, both by a key, and the
 * first names a TTL or an owner. Parameter names give the roles of the arguments. Locks that give a handle are not read here.
 */
export function lockShapeOperation(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const role = roleOf(callee.name.text);
  const methods = role && methodsOf(unit, callee.expression);
  const method = methods?.get(callee.name.text);
  if (role === undefined || methods === undefined || method === undefined) return undefined;
  const taking = [...methods].find(([name]) => roleOf(name) === 'acquire')?.[1];
  const freeing = [...methods].find(([name]) => roleOf(name) === 'release')?.[1];
  if (taking === undefined || freeing === undefined) return undefined;
  const result = resultOf(unit, taking);
  const slots = slotsOf(unit, taking);
  const freed = slotsOf(unit, freeing);
  if (result === undefined || slots.key === undefined || freed.key === undefined || (slots.ttl === undefined && slots.owner === undefined)) return undefined;

  const own = slotsOf(unit, method);
  const key = argument(own.key);
  if (key === undefined) return undefined;
  const receiver = termOf(unit, callee.expression);
  const base = { node: call, api: callee.name.text, key: termOf(unit, key), evidence: 'declared' as const, receiver };
  const owner = argument(own.owner);
  const ownerTerm = owner && termOf(unit, owner);
  if (role === 'acquire') {
    return { ...base, kind: 'acquire', owner: ownerTerm, hasOwnerSlot: own.owner !== undefined, ttl: ttlGiven(own.ttl), bare: false, result, link: 'key', scope: 'manual' };
  }
  const ownerSlot = own.owner === undefined ? ('none' as const) : owner === undefined ? ('missing' as const) : ('given' as const);
  const byKey = { link: 'key' as const, handle: undefined, owner: ownerTerm, ownerSlot };
  // Without an owner the release opens the lock whoever holds it; with one, only if the owner is nobody else's.
  if (role === 'release') return { ...base, ...byKey, kind: 'release', ownerCheck: ownerSlot === 'given' ? 'contract' : 'unknown', ifNotHeld: notHeld(ownerSlot, ownerTerm) };
  return { ...base, ...byKey, kind: 'extend', ownerCheck: ownerSlot === 'given' ? 'contract' : 'unknown', recreates: false, ttl: ttlGiven(own.ttl) };

  function argument(index: number | undefined): ts.Expression | undefined {
    const node = index === undefined ? undefined : call.arguments[index];
    return node === undefined || call.arguments.some((a) => ts.isSpreadElement(a)) ? undefined : node;
  }

  function ttlGiven(index: number | undefined): TtlGiven {
    if (index === undefined) return { kind: 'open' };
    const node = argument(index);
    if (node === undefined) return { kind: 'open' };
    const parameter = method?.parameters[index];
    const name = parameter !== undefined && ts.isIdentifier(parameter.name) ? parameter.name : undefined;
    const object = bare(unit, node);
    if (ts.isObjectLiteralExpression(object)) {
      const value = propertyOf(unit, object, 'ttlMs') ?? propertyOf(unit, object, 'ttl');
      return value === undefined ? { kind: 'open' } : { kind: 'given', ttl: { term: termOf(unit, value), node: value, unit: 'ms', named: namedUnit(unit, value) } };
    }
    return { kind: 'given', ttl: { term: termOf(unit, node), node, unit: namedUnit(unit, name) ?? 'ms', named: namedUnit(unit, node) } };
  }
}

/** An owner made for this call alone is nobody else's; a worker's name may hold the lock in another task. */
function notHeld(slot: 'given' | 'missing' | 'none', owner: Term | undefined): 'harmless' | 'deletes-other' {
  if (slot !== 'given' || owner === undefined) return 'deletes-other';
  return owner.kind === 'call' && owner.fresh === 'random' ? 'harmless' : 'deletes-other';
}

interface Slots { readonly key: number | undefined; readonly owner: number | undefined; readonly ttl: number | undefined }

function slotsOf(unit: Unit, method: Method): Slots {
  const { ts } = unit;
  const names = method.parameters.map((p) => (ts.isIdentifier(p.name) ? p.name.text : ''));
  const find = (pattern: RegExp): number | undefined => {
    const at = names.findIndex((n) => pattern.test(n));
    return at === -1 ? undefined : at;
  };
  const owner = find(/^owner|^token|holder|^clientId$|^workerId$|^lockId$|^grantId$|^fence/i);
  const ttl = find(/ttl|lease|duration|expir|timeoutMs|^ms$|^opts$|^options$/i);
  const key = names.findIndex((n, i) => i !== owner && i !== ttl && /key$|id$|^resource|^name$/i.test(n));
  return { key: key === -1 ? undefined : key, owner, ttl };
}

/** How the declared result tells; undefined for handles and other shapes, which another model reads. */
function resultOf(unit: Unit, method: Method): ResultForm | undefined {
  const { ts } = unit;
  const type = method.type;
  if (type === undefined) return UNKNOWN_FORM;
  const inner = ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === 'Promise' ? type.typeArguments?.[0] : type;
  if (inner === undefined) return UNKNOWN_FORM;
  if (inner.kind === ts.SyntaxKind.BooleanKeyword) return BOOLEAN_FORM;
  if (inner.kind === ts.SyntaxKind.VoidKeyword) return VOID_OR_THROWS_FORM;
  if (ts.isUnionTypeNode(inner)) return unionForm(unit, inner);
  return ts.isTypeReferenceNode(inner) || inner.kind === ts.SyntaxKind.StringKeyword ? handleOrThrowsForm() : undefined;
}

/** A handle or token, or null or undefined. */
function unionForm(unit: Unit, type: ts.UnionTypeNode): ResultForm | undefined {
  const { ts } = unit;
  const isNull = (t: ts.TypeNode): boolean => ts.isLiteralTypeNode(t) && t.literal.kind === ts.SyntaxKind.NullKeyword;
  const handles = type.types.filter((t) => ts.isTypeReferenceNode(t) || t.kind === ts.SyntaxKind.StringKeyword);
  const other = type.types.find((t) => !handles.includes(t));
  if (type.types.length !== 2 || handles.length !== 1 || other === undefined) return undefined;
  if (other.kind === ts.SyntaxKind.UndefinedKeyword) return handleOrNothingForm('undefined');
  return isNull(other) ? handleOrNothingForm('null') : undefined;
}

/** The methods of the declared type of a receiver, by name; through imports where the file can be reached. */
function methodsOf(unit: Unit, receiver: ts.Expression): ReadonlyMap<string, Method> | undefined {
  const annotation = annotationOf(unit, bare(unit, receiver));
  return annotation && membersOf(unit, annotation, 0);
}

function annotationOf(unit: Unit, e: ts.Expression): ts.TypeNode | undefined {
  const { ts } = unit;
  if (ts.isIdentifier(e)) {
    const declaration = unit.scopes.resolve(e)?.declaration;
    return declaration !== undefined && (ts.isParameter(declaration) || ts.isVariableDeclaration(declaration)) && ts.isIdentifier(declaration.name) ? declaration.type : undefined;
  }
  if (!ts.isPropertyAccessExpression(e) || e.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  for (let n: ts.Node = e; n.parent; n = n.parent) {
    if (!ts.isClassDeclaration(n) && !ts.isClassExpression(n)) continue;
    for (const m of n.members) {
      if (ts.isPropertyDeclaration(m) && nameText(unit, m.name) === e.name.text) return m.type;
      if (!ts.isConstructorDeclaration(m)) continue;
      const found = m.parameters.find((p) => p.modifiers !== undefined && ts.isIdentifier(p.name) && p.name.text === e.name.text);
      if (found !== undefined) return found.type;
    }
    return undefined;
  }
  return undefined;
}

function membersOf(unit: Unit, type: ts.TypeNode, depth: number): ReadonlyMap<string, Method> | undefined {
  const { ts } = unit;
  if (depth > 4) return undefined;
  if (ts.isTypeLiteralNode(type)) return methodMap(unit, type.members);
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return undefined;
  return declaredMembers(unit, unit.scopes.typeNamed(type.typeName.text, type), depth);
}

function declaredMembers(unit: Unit, declaration: ts.Declaration | undefined, depth: number): ReadonlyMap<string, Method> | undefined {
  const { ts } = unit;
  if (declaration === undefined) return undefined;
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)) return methodMap(unit, declaration.members);
  if (ts.isTypeAliasDeclaration(declaration)) return membersOf(unit, declaration.type, depth + 1);
  if (!ts.isImportSpecifier(declaration)) return undefined;
  const from = declaration.parent.parent.parent.moduleSpecifier;
  const other = ts.isStringLiteral(from) ? unit.importOf(from.text) : undefined;
  return other && declaredMembers(other, other.scopes.typeNamed((declaration.propertyName ?? declaration.name).text, other.file), depth + 1);
}

function methodMap(unit: Unit, members: readonly (ts.TypeElement | ts.ClassElement)[]): ReadonlyMap<string, Method> {
  const { ts } = unit;
  return new Map(members.flatMap((m) => (ts.isMethodSignature(m) || ts.isMethodDeclaration(m) ? [[nameText(unit, m.name), m] as const] : [])));
}
