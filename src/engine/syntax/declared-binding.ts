import type ts from 'typescript';
import { awaited, memberAt, present, UNKNOWN_TYPE, unionOf } from './declared-member.js';
import { NO_TYPES, signatureOf, TOO_DEEP, typeOfNode } from './declared-node.js';
import { typeAt } from './declared-type.js';
import { cutShort } from './declared-memory.js';
import { nameText } from './expression.js';
import type { Binding } from './scope.js';
import type { TypeShape } from './type-shape.js';
import type { Unit } from './unit.js';

/** The type of a name that is declared in this file: its annotation, else what it is made of. */
export function typeOfBinding(unit: Unit, binding: Binding, depth: number): TypeShape {
  const d = binding.declaration;
  if (depth > TOO_DEEP || active.has(binding)) return cutShort();
  active.add(binding);
  try {
    return declared(unit, binding, d, depth);
  } finally {
    active.delete(binding);
  }
}

/** Names whose type is being made: one that is made of itself (`x = x.next`) adds nothing to it. */
const active = new Set<Binding>();

function declared(unit: Unit, binding: Binding, d: ts.Node, depth: number): TypeShape {
  const { ts } = unit;
  if (ts.isFunctionDeclaration(d) || ts.isFunctionExpression(d)) return { kind: 'function', signature: signatureOf(unit, d, NO_TYPES, depth + 1) };
  if (ts.isBindingElement(d)) return elementType(unit, d, depth);
  if (ts.isParameter(d) || ts.isVariableDeclaration(d)) return declaredName(unit, d, binding, depth);
  return UNKNOWN_TYPE;
}

function declaredName(unit: Unit, d: ts.ParameterDeclaration | ts.VariableDeclaration, binding: Binding | undefined, depth: number): TypeShape {
  const { ts } = unit;
  if (d.type !== undefined) return typeOfNode(unit, d.type, NO_TYPES, depth + 1);
  if (ts.isVariableDeclaration(d) && ts.isVariableDeclarationList(d.parent) && ts.isForOfStatement(d.parent.parent)) {
    const list = present(typeAt(unit, d.parent.parent.expression, depth + 1));
    const item = list.kind === 'array' ? list.item : list.kind === 'tuple' ? unionOf(list.items) : UNKNOWN_TYPE;
    return d.parent.parent.awaitModifier ? awaited(item) : item;
  }
  const values: TypeShape[] = d.initializer ? [typeAt(unit, d.initializer, depth + 1)] : [];
  for (const w of binding?.writes ?? []) {
    if (ts.isBinaryExpression(w) && ts.isIdentifier(w.left)) values.push(typeAt(unit, w.right, depth + 1));
  }
  return values.length === 0 ? UNKNOWN_TYPE : unionOf(values);
}

/** `const { a: [b] } = x` */
function elementType(unit: Unit, d: ts.BindingElement, depth: number): TypeShape {
  const { ts } = unit;
  const holder = d.parent.parent;
  if (depth > TOO_DEEP) return cutShort();
  if (d.dotDotDotToken !== undefined) return UNKNOWN_TYPE;
  const base = ts.isBindingElement(holder) ? elementType(unit, holder, depth + 1) : declaredName(unit, holder, undefined, depth + 1);
  const key = ts.isObjectBindingPattern(d.parent) ? nameText(unit, d.propertyName ?? d.name) : String(d.parent.elements.indexOf(d));
  const type = memberAt(base, key, depth + 1);
  return d.initializer === undefined ? type : unionOf([present(type), typeAt(unit, d.initializer, depth + 1)]);
}
