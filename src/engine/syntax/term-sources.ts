import type ts from 'typescript';
import { bare, initialiserOf, nameText, propertyOf } from './expression.js';
import type { Unit } from './unit.js';
import { Kept } from '../kept.js';

/** The initialiser of a readonly or never-assigned field of the class around the node. */
export function fieldInitialiser(unit: Unit, x: ts.Node, prop: string): ts.Expression | undefined {
  const { ts } = unit;
  for (let n: ts.Node | undefined = x.parent; n; n = n.parent) {
    if (!ts.isClassDeclaration(n) && !ts.isClassExpression(n)) continue;
    const field = n.members.find((m): m is ts.PropertyDeclaration => ts.isPropertyDeclaration(m) && nameText(unit, m.name) === prop);
    if (field?.initializer === undefined || !isReadonly(unit, field)) return undefined;
    return field.initializer;
  }
  return undefined;
}

function isReadonly(unit: Unit, field: ts.PropertyDeclaration): boolean {
  const { ts } = unit;
  if (field.modifiers?.some((m) => m.kind === ts.SyntaxKind.ReadonlyKeyword) === true) return true;
  const isStatic = field.modifiers?.some((m) => m.kind === ts.SyntaxKind.StaticKeyword) === true;
  return (isStatic || ts.isPrivateIdentifier(field.name)) && !isAssigned(unit, field);
}

/** Only assignments by plain name in the class count: `this.#mark = mark`. */
function isAssigned(unit: Unit, field: ts.PropertyDeclaration): boolean {
  const held = assigned.get(field);
  if (held !== undefined) return held;
  const name = nameText(unit, field.name).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const found = new RegExp(`\\.${name}\\s*(?:[-+*/%&|^?]{0,2}=(?!=)|\\+\\+|--)`).test(field.parent.getText(unit.file));
  assigned.set(field, found);
  return found;
}

const assigned = new Kept<ts.PropertyDeclaration, boolean>();

/** The function of this file that a call runs: by its name, as a method of the class around it, or as a property of an object that a name stands for. */
export function builderOf(unit: Unit, callee: ts.Expression): ts.FunctionLikeDeclaration | undefined {
  const { ts } = unit;
  const c = bare(unit, callee);
  if (ts.isIdentifier(c)) {
    const binding = unit.scopes.resolve(c);
    if (binding === undefined) return undefined;
    if (ts.isFunctionDeclaration(binding.declaration)) return binding.declaration;
    const init = initialiserOf(unit, binding);
    return init && (ts.isArrowFunction(init) || ts.isFunctionExpression(init)) ? init : undefined;
  }
  if (ts.isPropertyAccessExpression(c) && c.expression.kind === ts.SyntaxKind.ThisKeyword) return methodAround(unit, c, c.name.text);
  if (ts.isPropertyAccessExpression(c) && ts.isIdentifier(c.expression)) {
    const binding = unit.scopes.resolve(c.expression);
    const init = binding && initialiserOf(unit, binding);
    const value = init && bare(unit, init);
    const found = value && ts.isObjectLiteralExpression(value) ? propertyOf(unit, value, c.name.text) : undefined;
    return found && (ts.isArrowFunction(found) || ts.isFunctionExpression(found)) ? found : undefined;
  }
  return undefined;
}

function methodAround(unit: Unit, from: ts.Node, name: string): ts.FunctionLikeDeclaration | undefined {
  const { ts } = unit;
  for (let n: ts.Node | undefined = from.parent; n; n = n.parent) {
    if (!ts.isClassDeclaration(n) && !ts.isClassExpression(n)) continue;
    return n.members.find((m): m is ts.MethodDeclaration => ts.isMethodDeclaration(m) && nameText(unit, m.name) === name && m.body !== undefined);
  }
  return undefined;
}

/** What a function gives whose body is an expression, or names and then one `return`. */
export function soleResult(unit: Unit, fn: ts.FunctionLikeDeclaration): ts.Expression | undefined {
  const { ts } = unit;
  const body = (fn as { body?: ts.Node }).body;
  if (body === undefined || fn.asteriskToken !== undefined) return undefined;
  if (!ts.isBlock(body)) return body as ts.Expression;
  const last = body.statements.at(-1);
  if (last === undefined || !ts.isReturnStatement(last) || last.expression === undefined) return undefined;
  return body.statements.slice(0, -1).every((s) => ts.isVariableStatement(s)) ? last.expression : undefined;
}
