import type ts from 'typescript';
import { bare, enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** A variable or field that outlives the calls of a function: what is remembered in it is remembered by this process alone. */
export interface Memory {
  readonly name: string;
  readonly declaration: ts.Node;
}

/** The memory that an expression names from within a function: `running`, `this.running`, `inflight`. */
export function memoryNamed(unit: Unit, node: ts.Expression, fn: ts.Node): Memory | undefined {
  const { ts } = unit;
  const e = bare(unit, node);
  if (ts.isIdentifier(e)) {
    const binding = unit.scopes.resolve(e);
    if (binding === undefined || (binding.kind !== 'const' && binding.kind !== 'let')) return undefined;
    const { declaration } = binding;
    return declaration.pos >= fn.pos && declaration.end <= fn.end ? undefined : { name: binding.name, declaration };
  }
  if (!ts.isPropertyAccessExpression(e) || e.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  const field = classAround(unit, fn)?.members.find((m) => ts.isPropertyDeclaration(m) && m.name.getText(unit.file) === e.name.text);
  return field && { name: `this.${e.name.text}`, declaration: field };
}

function classAround({ ts }: Unit, node: ts.Node): ts.ClassLikeDeclaration | undefined {
  for (let n: ts.Node = node; n.parent; n = n.parent) if (ts.isClassLike(n)) return n;
  return undefined;
}

/** A Map or Set in memory, by how it is made or declared. */
export function isCollection({ ts, file }: Unit, { declaration }: Memory): boolean {
  if (!ts.isVariableDeclaration(declaration) && !ts.isPropertyDeclaration(declaration)) return false;
  const type = declaration.type?.getText(file) ?? '';
  return /^(?:Map|Set|WeakMap)\b/.test(type) || (declaration.initializer !== undefined && ts.isNewExpression(declaration.initializer) && /^(?:Map|Set|WeakMap)$/.test(declaration.initializer.expression.getText(file)));
}

/** Whether two expressions name the same memory. */
export function isSameMemory(unit: Unit, node: ts.Expression, fn: ts.Node, memory: Memory): boolean {
  return memoryNamed(unit, node, fn)?.declaration === memory.declaration;
}

/** The function a node stands in that is no inner arrow of another one. */
export function methodAround(unit: Unit, node: ts.Node): ts.Node {
  let fn: ts.Node = enclosingFunction(unit, node);
  while (unit.ts.isArrowFunction(fn) && !unit.ts.isSourceFile(enclosingFunction(unit, fn)) && !unit.ts.isPropertyDeclaration(fn.parent)) fn = enclosingFunction(unit, fn);
  return fn;
}
