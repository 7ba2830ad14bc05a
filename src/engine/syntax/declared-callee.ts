import type ts from 'typescript';
import { memberOfObject, present } from './declared-member.js';
import { typeAt } from './declared-type.js';
import { bare, isFunctionWithBody } from './expression.js';
import type { Callee, TypeShape } from './type-shape.js';
import type { Unit } from './unit.js';

/** What a call calls. Undefined for functions of packages and for what declarations do not tell. */
export function calleeOf(unit: Unit, call: ts.CallExpression): Callee | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const type = present(typeAt(unit, callee, 0));
  if (type.kind !== 'function') return undefined;
  const { signature } = type;
  const { declaration } = signature;
  const body = isFunctionWithBody(signature.unit, declaration) && hasBody(declaration) ? declaration : undefined;
  const receiver = ts.isPropertyAccessExpression(callee) ? present(typeAt(unit, callee.expression, 0)) : undefined;
  const owner = receiver && ownerOf(receiver, ts.isPropertyAccessExpression(callee) ? callee.name.text : '');
  return { signature, ...(body === undefined ? {} : { body }), ...(owner === undefined ? {} : { owner }) };
}

function hasBody(node: ts.FunctionLikeDeclaration): boolean {
  return 'body' in node && node.body !== undefined;
}

function ownerOf(type: TypeShape, name: string): (TypeShape & { kind: 'object' }) | undefined {
  if (type.kind === 'object') return type;
  // Of a union the member that has the method stands for all.
  if (type.kind === 'union') return type.members.find((m): m is TypeShape & { kind: 'object' } => m.kind === 'object' && memberOfObject(m, name) !== undefined);
  return undefined;
}
