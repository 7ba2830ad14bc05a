import type ts from 'typescript';
import { nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { declaredType, membersOf, type Chain } from './access-orm-chain.js';
import {
  BOOLEAN_FORM, countForm, handleOrNothingForm, handleOrThrowsForm, rowsForm, taggedForm, UNKNOWN_FORM,
  VOID_OR_THROWS_FORM, type ResultForm,
} from './result-form.js';
import { NOTHING_FORM } from './access-orm-record.js';

/** The declaration of a called method, where the file spells it. */
export type Signature = ts.MethodSignature | ts.MethodDeclaration | ts.FunctionTypeNode | ts.ArrowFunction | ts.FunctionExpression;

/** The signature of the method a chain calls, by the declared type of its receiver, or of the class around. */
export function signatureOf(chain: Chain): Signature | undefined {
  const { unit, last } = chain;
  const { ts } = unit;
  if (last.receiver?.kind === ts.SyntaxKind.ThisKeyword) return ownMethod(unit, last.receiver, last.name);
  const type = declaredType(unit, last.receiver);
  for (const m of type === undefined ? [] : membersOf(unit, type)) {
    if (m.name === undefined || nameText(unit, m.name) !== last.name) continue;
    if (ts.isMethodSignature(m) || ts.isMethodDeclaration(m)) return m;
    if (ts.isPropertySignature(m) && m.type !== undefined && ts.isFunctionTypeNode(m.type)) return m.type;
  }
  return undefined;
}

/** `this.transition(..)`: the method of the class that the call stands in. */
function ownMethod(unit: Unit, at: ts.Node, name: string): Signature | undefined {
  const { ts } = unit;
  let owner = at.parent;
  while (owner && !ts.isClassLike(owner)) owner = owner.parent;
  return owner && ts.isClassLike(owner) ? owner.members.find((m): m is ts.MethodDeclaration => ts.isMethodDeclaration(m) && nameText(unit, m.name) === name) : undefined;
}

/** Names of the parameters in order. */
export function parameterNames(unit: Unit, signature: Signature | undefined): readonly string[] {
  return signature?.parameters.map((p) => nameText(unit, p.name)) ?? [];
}

const SUCCESS = /^(?:ok|success|succeeded|won|moved|done|applied|updated|acquired|transitioned|true)$/i;

/** How a declared return type tells a hit from a miss. `guarded`: nothing can come back only if a miss throws. */
export function declaredForm(unit: Unit, signature: Signature | undefined, guarded: boolean): ResultForm {
  const { ts } = unit;
  const type = signature?.type && awaited(signature.type);
  if (type === undefined) return UNKNOWN_FORM;
  if (type.kind === ts.SyntaxKind.BooleanKeyword) return BOOLEAN_FORM;
  if (type.kind === ts.SyntaxKind.NumberKeyword) return countForm();
  if (type.kind === ts.SyntaxKind.VoidKeyword) return guarded ? VOID_OR_THROWS_FORM : NOTHING_FORM;
  if (ts.isArrayTypeNode(type)) return rowsForm(true);
  const parts = unionParts(type);
  const empty = parts.filter((p) => p.kind === ts.SyntaxKind.UndefinedKeyword || (ts.isLiteralTypeNode(p) && p.literal.kind === ts.SyntaxKind.NullKeyword));
  if (empty.length > 0) {
    return handleOrNothingForm(empty.length > 1 ? 'either' : empty[0]?.kind === ts.SyntaxKind.UndefinedKeyword ? 'undefined' : 'null');
  }
  return taggedUnion(parts) ?? (parts.length === 1 && ts.isTypeReferenceNode(type) ? handleOrThrowsForm() : UNKNOWN_FORM);

  function awaited(t: ts.TypeNode): ts.TypeNode {
    const inner = ts.isTypeReferenceNode(t) && t.typeName.getText(unit.file) === 'Promise' ? t.typeArguments?.[0] : undefined;
    return inner ?? t;
  }

  function unionParts(t: ts.TypeNode, depth = 0): readonly ts.TypeNode[] {
    if (ts.isParenthesizedTypeNode(t)) return unionParts(t.type, depth);
    if (ts.isUnionTypeNode(t)) return t.types.flatMap((p) => unionParts(p, depth));
    if (!ts.isTypeReferenceNode(t) || !ts.isIdentifier(t.typeName) || depth > 4) return [t];
    const d = unit.scopes.typeNamed(t.typeName.text, t);
    return d !== undefined && ts.isTypeAliasDeclaration(d) ? unionParts(d.type, depth + 1) : [t];
  }

  /** The literals of the property that all members of a union carry. */
  function taggedUnion(members: readonly ts.TypeNode[]): ResultForm | undefined {
    const maps = members.map((m) => new Map(membersOf(unit, m).flatMap((p) => {
      const values = p.name !== undefined && ts.isPropertySignature(p) && p.type !== undefined ? literals(p.type) : [];
      return p.name !== undefined && values.length > 0 ? [[nameText(unit, p.name), values] as const] : [];
    })));
    const tag = [...(maps[0]?.keys() ?? [])].find((k) => maps.every((m) => m.has(k)));
    if (tag === undefined) return undefined;
    const all = [...new Set(maps.flatMap((m) => m.get(tag) ?? []))];
    const won = all.filter((v) => SUCCESS.test(String(v)));
    return won.length > 0 && won.length < all.length ? taggedForm(tag, won, all.filter((v) => !won.includes(v))) : undefined;
  }

  function literals(t: ts.TypeNode): readonly (string | boolean)[] {
    return unionParts(t).flatMap((p): (string | boolean)[] => {
      if (p.kind === ts.SyntaxKind.BooleanKeyword) return [true, false];
      if (!ts.isLiteralTypeNode(p)) return [];
      if (ts.isStringLiteral(p.literal)) return [p.literal.text];
      return p.literal.kind === ts.SyntaxKind.TrueKeyword ? [true] : p.literal.kind === ts.SyntaxKind.FalseKeyword ? [false] : [];
    });
  }
}
