import type ts from 'typescript';
import { exportOf, importTarget } from '../syntax/declared-import.js';
import { calleeOf, present, typeOf } from '../syntax/declared-type.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { implementsMember } from './implemented.js';
import type { NameNode } from './name-index.js';

/**
 * What a mention of its name is to a function: a call of it, a place where it is handed on as a value, nothing, or `unresolved`: a call of a method of that name on an
 * object of which nobody knows the type.
 */
export function mentionOf(other: Unit, id: NameNode, unit: Unit, fn: ts.FunctionLikeDeclaration): 'none' | 'value' | 'unresolved' | ts.CallExpression {
  const { ts } = other;
  const isMember = ts.isPropertyAccessExpression(id.parent) && id.parent.name === id;
  if (isDeclaration(other, id, isMember)) return 'none';
  const e = isMember ? id.parent : id;
  const call = callWith(other, e);
  // The name of a private member means its own class.
  if (ts.isPrivateIdentifier(id)) return other !== unit || classOf(other, id) !== fn.parent ? 'none' : call ?? (isHandedOn(other, e) ? 'value' : 'none');
  if (!isMember) {
    const leads = leadsTo(other, id, unit, fn);
    return !leads ? 'none' : call ?? (isJsxOrType(other, id) ? 'none' : 'value');
  }
  if (call === undefined) return isMethod(unit, fn) && isHandedOn(other, e) ? valueOf(other, e, unit, fn) : 'none';
  const callee = calleeOf(other, call);
  if (callee?.body !== undefined) return callee.body === fn ? call : 'none';
  // `api.retry(id)` of a namespace import or of a package is settled; only what nobody knows the type of is not.
  if (callee === undefined) return isMethod(unit, fn) && !isOfPackage(other, call) ? 'unresolved' : 'none';
  return implementsMember(unit, fn, callee.signature.declaration) ? call : 'none';
}

function isMethod(unit: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  const { ts } = unit;
  return ts.isMethodDeclaration(fn) || ts.isPropertyDeclaration(fn.parent) || ts.isPropertyAssignment(fn.parent);
}

function isDeclaration(unit: Unit, id: NameNode, isMember: boolean): boolean {
  const { ts } = unit;
  const p = id.parent;
  if (isMember) return false;
  if (ts.isImportSpecifier(p) || ts.isImportClause(p) || ts.isExportSpecifier(p) || ts.isNamespaceImport(p)) return true;
  return 'name' in p && p.name === id && !ts.isShorthandPropertyAssignment(p);
}

/** The class around a node. */
function classOf({ ts }: Unit, node: ts.Node): ts.Node | undefined {
  let n: ts.Node | undefined = node;
  while (n !== undefined && !ts.isClassLike(n)) n = n.parent;
  return n;
}

/** The call that has an expression as its callee. */
function callWith(unit: Unit, e: ts.Node): ts.CallExpression | undefined {
  const { ts } = unit;
  let n = e;
  while (ts.isParenthesizedExpression(n.parent) || ts.isNonNullExpression(n.parent)) n = n.parent;
  return ts.isCallExpression(n.parent) && n.parent.expression === n ? n.parent : undefined;
}

/** Whether a bare name is that of a function, or its import. */
function leadsTo(other: Unit, id: ts.Identifier, unit: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  const binding = other.scopes.resolve(id);
  if (other === unit) return binding !== undefined && (binding.declaration === fn || (unit.ts.isVariableDeclaration(binding.declaration) && binding.declaration === fn.parent));
  const target = binding?.kind === 'import' ? importTarget(other, binding.declaration) : undefined;
  if (target?.kind !== 'file') return false;
  const found = exportOf(target.unit, target.name);
  if (found === undefined || 'kind' in found || found.unit !== unit) return false;
  const declared = unit.scopes.lookup(found.name, unit.file)?.declaration;
  return declared === fn || (declared !== undefined && unit.ts.isVariableDeclaration(declared) && declared === fn.parent) || found.expression === fn;
}

function isJsxOrType(unit: Unit, id: ts.Identifier): boolean {
  const { ts } = unit;
  return ts.isTypeNode(id.parent) || ts.isTypeQueryNode(id.parent) || ts.isExpressionWithTypeArguments(id.parent);
}

/** An argument, a value of a property or a name, or `.bind(..)` of it. */
function isHandedOn(unit: Unit, e: ts.Node): boolean {
  const { ts } = unit;
  const p = e.parent;
  if (ts.isPropertyAccessExpression(p)) return p.name.text === 'bind';
  return (ts.isCallExpression(p) || ts.isNewExpression(p)) || ts.isPropertyAssignment(p) || ts.isReturnStatement(p) || (ts.isArrowFunction(p) && p.body === e);
}

/** A member handed on is one of this function where its object is of the class. */
function valueOf(other: Unit, e: ts.Node, unit: Unit, fn: ts.FunctionLikeDeclaration): 'none' | 'value' {
  const { ts } = other;
  if (!ts.isPropertyAccessExpression(e)) return 'none';
  const type = present(typeOf(other, e));
  if (type.kind !== 'function') return 'none';
  const { declaration } = type.signature;
  return declaration === fn || implementsMember(unit, fn, declaration) ? 'value' : 'none';
}

function isOfPackage(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  let e = bare(unit, call.expression);
  while (ts.isPropertyAccessExpression(e) || ts.isCallExpression(e)) e = bare(unit, e.expression);
  const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
  return binding?.kind === 'import' && importTarget(unit, binding.declaration)?.kind === 'package';
}
