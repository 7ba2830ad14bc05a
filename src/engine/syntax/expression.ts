import type ts from 'typescript';
import { Kept } from '../kept.js';
import type { Binding } from './scope.js';
import type { Unit } from './unit.js';

/** Parentheses, casts and `!` say nothing at run time. */
export function bare(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts, kinds } = unit;
  let e = node;
  while (kinds.wrappers[e.kind] === 1) {
    if (!ts.isParenthesizedExpression(e) && !ts.isAsExpression(e) && !ts.isNonNullExpression(e) && !ts.isSatisfiesExpression(e) && !ts.isTypeAssertionExpression(e)) break;
    e = e.expression;
  }
  return e;
}

/** As `bare`, and through `await` and trailing `.catch(..)`, `.finally(..)`, which hand the value on. */
export function settled(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts } = unit;
  let e = bare(unit, node);
  for (;;) {
    if (ts.isAwaitExpression(e) || ts.isVoidExpression(e)) e = bare(unit, e.expression);
    else if (ts.isCallExpression(e) && ts.isPropertyAccessExpression(e.expression) && PASS_THROUGH.has(e.expression.name.text) && isCall(unit, e.expression.expression)) {
      e = bare(unit, e.expression.expression);
    } else return e;
  }
}

const PASS_THROUGH = new Set(['catch', 'finally']);

function isCall(unit: Unit, node: ts.Expression): boolean {
  const e = bare(unit, node);
  return unit.ts.isCallExpression(e) || unit.ts.isTaggedTemplateExpression(e);
}

/** The outermost expression that still is this value: parentheses, casts, await, `.catch(..)` around it. */
export function wholeValue(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts } = unit;
  let e: ts.Expression = node;
  for (;;) {
    const p: ts.Node = e.parent;
    if (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p) || ts.isSatisfiesExpression(p) || ts.isAwaitExpression(p) || ts.isVoidExpression(p)) e = p;
    else if (ts.isPropertyAccessExpression(p) && p.expression === e && PASS_THROUGH.has(p.name.text) && ts.isCallExpression(p.parent) && p.parent.expression === p) e = p.parent;
    else return e;
  }
}

/** Whether a call is waited for where it stands. */
export function isAwaited(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  let p = node.parent;
  while (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p) || (ts.isPropertyAccessExpression(p) && PASS_THROUGH.has(p.name.text)) || (ts.isCallExpression(p) && ts.isPropertyAccessExpression(p.expression) && PASS_THROUGH.has(p.expression.name.text))) p = p.parent;
  return ts.isAwaitExpression(p);
}

/** The function, method, accessor, arrow or file a node stands in. */
export function enclosingFunction(unit: Unit, node: ts.Node): ts.FunctionLikeDeclaration | ts.SourceFile {
  // Operations and accesses of a file are compared pair by pair, and each pair asks.
  const held = enclosing.get(node);
  if (held !== undefined) return held;
  const found = findEnclosing(unit, node);
  enclosing.set(node, found);
  return found;
}

const enclosing = new Kept<ts.Node, ts.FunctionLikeDeclaration | ts.SourceFile>();

function findEnclosing(unit: Unit, node: ts.Node): ts.FunctionLikeDeclaration | ts.SourceFile {
  const { ts } = unit;
  for (let n: ts.Node | undefined = node.parent; n; n = n.parent) {
    if (isFunctionWithBody(unit, n)) return n;
    if (ts.isSourceFile(n)) return n;
  }
  return unit.file;
}

export function isFunctionWithBody(unit: Unit, n: ts.Node): n is ts.FunctionLikeDeclaration {
  return unit.kinds.functions[n.kind] === 1;
}

/** `Class.method`, the function's or variable's name, or `<module>`. */
export function functionName(unit: Unit, fn: ts.Node): string {
  const { ts } = unit;
  if (ts.isSourceFile(fn)) return '<module>';
  if (ts.isConstructorDeclaration(fn)) return `${className(unit, fn)}constructor`;
  const own = (fn as { name?: ts.Node }).name;
  if (own !== undefined) return `${className(unit, fn)}${own.getText(unit.file)}`;
  const p = fn.parent;
  if (ts.isVariableDeclaration(p) || ts.isPropertyAssignment(p) || ts.isPropertyDeclaration(p)) return `${ts.isPropertyDeclaration(p) ? className(unit, p) : ''}${p.name.getText(unit.file)}`;
  if (ts.isBinaryExpression(p)) return p.left.getText(unit.file);
  const outer = enclosingFunction(unit, fn);
  return ts.isSourceFile(outer) ? '<module>' : functionName(unit, outer);
}

function className(unit: Unit, member: ts.Node): string {
  const { ts } = unit;
  const c = member.parent;
  return (ts.isClassDeclaration(c) || ts.isClassExpression(c)) && c.name ? `${c.name.text}.` : '';
}

/** The statement a node stands in, up to but not into the enclosing function. */
export function statementOf(unit: Unit, node: ts.Node): ts.Node {
  const { ts } = unit;
  let n: ts.Node = node;
  while (n.parent && !ts.isBlock(n.parent) && !ts.isSourceFile(n.parent) && !ts.isCaseOrDefaultClause(n.parent) && !ts.isModuleBlock(n.parent) && !isFunctionWithBody(unit, n.parent)) {
    if (ts.isStatement(n) && !ts.isBlock(n)) return n;
    n = n.parent;
  }
  return n;
}

/** The initialiser a never-reassigned name stands for; undefined for parameters, loops, destructuring and reassigned names. */
export function initialiserOf(unit: Unit, binding: Binding): ts.Expression | undefined {
  const { ts } = unit;
  const d = binding.declaration;
  if (binding.writes.length > 0 || !ts.isVariableDeclaration(d) || !ts.isIdentifier(d.name)) return undefined;
  return d.initializer;
}

/** Follows names to the expression they stand for, as long as nothing else can have been assigned. */
export function followed(unit: Unit, node: ts.Expression): ts.Expression {
  let e = bare(unit, node);
  for (let depth = 0; depth < 8 && unit.ts.isIdentifier(e); depth++) {
    const binding = unit.scopes.resolve(e);
    const next = binding && initialiserOf(unit, binding);
    if (next === undefined) return e;
    e = bare(unit, next);
  }
  return e;
}

/** A property of an object literal by name, through shorthand; undefined when absent or hidden behind a spread. */
export function propertyOf(unit: Unit, object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const { ts } = unit;
  for (const p of object.properties) {
    if (ts.isPropertyAssignment(p) && nameText(unit, p.name) === name) return p.initializer;
    if (ts.isShorthandPropertyAssignment(p) && p.name.text === name) return p.name;
  }
  return undefined;
}

/** Text of a property name; computed names give the text of their expression in brackets. */
export function nameText(unit: Unit, name: ts.PropertyName | ts.BindingName | ts.MemberName): string {
  const { ts } = unit;
  if (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) || ts.isPrivateIdentifier(name) || ts.isNoSubstitutionTemplateLiteral(name)) return name.text;
  if (ts.isComputedPropertyName(name)) {
    const e = name.expression;
    return ts.isStringLiteralLike(e) ? e.text : `[${e.getText(unit.file)}]`;
  }
  return name.getText(unit.file);
}
