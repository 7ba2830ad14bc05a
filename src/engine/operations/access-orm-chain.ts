import type ts from 'typescript';
import { bare, followed, nameText } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import { moduleHead } from '../syntax/module-head.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** One call of a builder chain. */
export interface ChainStep {
  readonly name: string;
  readonly args: readonly ts.Expression[];
  readonly call: ts.CallExpression;
  /** What the method is called on; undefined for a plain function (`knex('t')`). */
  readonly receiver: ts.Expression | undefined;
}

/** A chain of calls, first call first: `db.update(t).set(x).where(y)` has three steps. */
export interface Chain {
  readonly unit: Unit;
  readonly call: ts.CallExpression;
  readonly steps: readonly [ChainStep, ...ChainStep[]];
  readonly last: ChainStep;
}

/** Calls that only hand on what the chain gave. */
const PASS_THROUGH = new Set(['then', 'catch', 'finally']);

/** The chain a call ends; undefined for a call in the middle of one, and for `.then(..)`, `.catch(..)`, `.finally(..)`. */
export function chainOf(unit: Unit, call: ts.CallExpression): Chain | undefined {
  const { ts } = unit;
  if (isInner(unit, call)) return undefined;
  const steps: ChainStep[] = [];
  let e: ts.Expression = call;
  while (ts.isCallExpression(e)) {
    const callee: ts.Expression = bare(unit, e.expression);
    if (ts.isPropertyAccessExpression(callee)) {
      steps.unshift({ name: callee.name.text, args: e.arguments, call: e, receiver: callee.expression });
      e = bare(unit, callee.expression);
    } else if (ts.isIdentifier(callee)) {
      steps.unshift({ name: callee.text, args: e.arguments, call: e, receiver: undefined });
      break;
    } else break;
  }
  const [first, ...rest] = steps;
  const last = rest.at(-1) ?? first;
  if (first === undefined || last === undefined || PASS_THROUGH.has(last.name)) return undefined;
  return { unit, call, steps: [first, ...rest], last };
}

function isInner(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  let e: ts.Node = call;
  while (ts.isParenthesizedExpression(e.parent) || ts.isNonNullExpression(e.parent)) e = e.parent;
  const p = e.parent;
  return ts.isPropertyAccessExpression(p) && p.expression === e && ts.isCallExpression(p.parent) && p.parent.expression === p && !PASS_THROUGH.has(p.name.text);
}

export function stepNamed(chain: Chain, ...names: readonly string[]): ChainStep | undefined {
  return chain.steps.findLast((s) => names.includes(s.name));
}

export function hasStep(chain: Chain, ...names: readonly string[]): boolean {
  return stepNamed(chain, ...names) !== undefined;
}

/** The last name of a receiver: `batches` of `this.batches`, `member` of `tx.member`. */
export function lastSegment(unit: Unit, node: ts.Expression | undefined): string | undefined {
  const { ts } = unit;
  const e = node && bare(unit, node);
  if (e === undefined) return undefined;
  if (ts.isIdentifier(e)) return e.text;
  if (ts.isPropertyAccessExpression(e)) return e.name.text.replace(/^#/, '');
  return undefined;
}

/** The expression before the last name: `tx` of `tx.member`; the whole receiver where there is only one name. */
export function clientTerm(unit: Unit, receiver: ts.Expression | undefined): Term | undefined {
  const { ts } = unit;
  const e = receiver && bare(unit, receiver);
  if (e === undefined) return undefined;
  return termOf(unit, ts.isPropertyAccessExpression(e) && e.expression.kind !== ts.SyntaxKind.ThisKeyword ? e.expression : e);
}

/** How sure the layer is: proven by an import of the file, else as the caller says. */
export function evidenceOf(unit: Unit, packages: RegExp, otherwise: 'shape' | 'name'): 'package' | 'shape' | 'name' {
  return importsPackage(unit, packages) ? 'package' : otherwise;
}

export function importsPackage(unit: Unit, packages: RegExp): boolean {
  const { specifiers, fits } = importsOf(unit);
  const known = fits.get(packages.source);
  if (known !== undefined) return known;
  const found = specifiers.some((s) => packages.test(s));
  fits.set(packages.source, found);
  return found;
}

/** What a file imports, and which packages that was found to be: each layer asks for its own at each call. */
interface Imports {
  readonly specifiers: readonly string[];
  readonly fits: Map<string, boolean>;
}

const imports = new Kept<Unit, Imports>();

function importsOf(unit: Unit): Imports {
  const held = imports.get(unit);
  if (held !== undefined) return held;
  const { ts } = unit;
  const specifiers = moduleHead(unit).imports.flatMap((s) => (ts.isStringLiteral(s.moduleSpecifier) ? [s.moduleSpecifier.text] : []));
  const found = { specifiers, fits: new Map<string, boolean>() };
  imports.set(unit, found);
  return found;
}

/** The declared type of a name or of a field of `this`, where the file spells one. */
export function declaredType(unit: Unit, node: ts.Expression | undefined): ts.TypeNode | undefined {
  const { ts } = unit;
  const e = node && bare(unit, node);
  if (e === undefined) return undefined;
  if (ts.isIdentifier(e)) {
    const d = unit.scopes.resolve(e)?.declaration;
    if (d === undefined) return undefined;
    if (ts.isVariableDeclaration(d) || ts.isParameter(d)) return ts.isIdentifier(d.name) ? d.type : memberType(d.type, e.text);
    return undefined;
  }
  if (!ts.isPropertyAccessExpression(e)) return undefined;
  if (e.expression.kind !== ts.SyntaxKind.ThisKeyword) return memberType(declaredType(unit, e.expression), e.name.text);
  for (let n: ts.Node | undefined = e.parent; n; n = n.parent) {
    if (!ts.isClassDeclaration(n) && !ts.isClassExpression(n)) continue;
    for (const m of n.members) {
      if (ts.isPropertyDeclaration(m) && nameText(unit, m.name) === e.name.text) return m.type;
      if (!ts.isConstructorDeclaration(m)) continue;
      const p = m.parameters.find((x) => x.modifiers !== undefined && ts.isIdentifier(x.name) && x.name.text === e.name.text);
      if (p !== undefined) return p.type;
    }
  }
  return undefined;

  function memberType(type: ts.TypeNode | undefined, name: string): ts.TypeNode | undefined {
    const found = type && membersOf(unit, type).find((m) => m.name !== undefined && nameText(unit, m.name) === name);
    return found && (ts.isPropertySignature(found) || ts.isPropertyDeclaration(found)) ? found.type : undefined;
  }
}

/** The members of a type that the file declares as an interface, class or object type. */
export function membersOf(unit: Unit, type: ts.TypeNode): readonly (ts.TypeElement | ts.ClassElement)[] {
  const { ts } = unit;
  if (ts.isTypeLiteralNode(type)) return type.members;
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return [];
  const d = unit.scopes.typeNamed(type.typeName.text, type);
  if (d === undefined) return [];
  if (ts.isInterfaceDeclaration(d) || ts.isClassDeclaration(d)) return d.members;
  return ts.isTypeAliasDeclaration(d) ? membersOf(unit, d.type) : [];
}

/** Name of a type reference without its arguments. */
export function typeName(unit: Unit, type: ts.TypeNode | undefined): string | undefined {
  return type !== undefined && unit.ts.isTypeReferenceNode(type) ? type.typeName.getText(unit.file) : undefined;
}

/** Name of the first type argument: `Run` of `Repository<Run>`. */
export function typeArgument(unit: Unit, type: ts.TypeNode | undefined): string | undefined {
  const arg = type !== undefined && unit.ts.isTypeReferenceNode(type) ? type.typeArguments?.[0] : undefined;
  return typeName(unit, arg);
}

/** A string the code shows: a literal, or a name that stands for one. */
export function textOf(unit: Unit, node: ts.Expression | undefined): string | undefined {
  const t = node && termOf(unit, node);
  return t?.kind === 'const' && typeof t.value === 'string' ? t.value : undefined;
}

/** The object literal an expression stands for: through names and local functions that only return one. */
export function objectOf(unit: Unit, node: ts.Expression | undefined): ts.ObjectLiteralExpression | undefined {
  const { ts } = unit;
  if (node === undefined) return undefined;
  const e = followed(unit, node);
  if (ts.isObjectLiteralExpression(e)) return e;
  if (!ts.isCallExpression(e) || !ts.isIdentifier(bare(unit, e.expression))) return undefined;
  const fn = functionOf(unit, e.expression);
  const result = fn && returnedBy(unit, fn);
  const value = result && followed(unit, result);
  return value && ts.isObjectLiteralExpression(value) ? value : undefined;
}

/** The function an expression is or names. */
export function functionOf(unit: Unit, node: ts.Expression | undefined): ts.FunctionLikeDeclaration | undefined {
  const { ts } = unit;
  if (node === undefined) return undefined;
  const e = followed(unit, node);
  if (ts.isArrowFunction(e) || ts.isFunctionExpression(e)) return e;
  const d = ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
  return d && ts.isFunctionDeclaration(d) ? d : undefined;
}

/** What a function returns, if its body is one expression or one return. */
export function returnedBy(unit: Unit, fn: ts.FunctionLikeDeclaration): ts.Expression | undefined {
  const { ts } = unit;
  if (ts.isArrowFunction(fn) && !ts.isBlock(fn.body)) return bare(unit, fn.body);
  const only = fn.body && ts.isBlock(fn.body) && fn.body.statements.length === 1 ? fn.body.statements[0] : undefined;
  return only && ts.isReturnStatement(only) ? only.expression : undefined;
}
