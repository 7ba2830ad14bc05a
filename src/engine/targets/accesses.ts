import type ts from 'typescript';
import type { StateRead, StateWrite } from '../operations/state-access.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { normalised, targetKey } from './step-words.js';

type RowAccess = StateRead | StateWrite;

/** Whether two accesses are of one kind of row. Without names only the same client tells. */
export function sameTarget(a: RowAccess, b: RowAccess): boolean {
  if (a.target !== undefined && b.target !== undefined) return targetKey(a.target) === targetKey(b.target);
  return a.target === b.target && a.client !== undefined && b.client !== undefined && sameTerm(a.client, b.client);
}

export function sameColumn(a: string, b: string): boolean {
  return normalised(a.slice(a.lastIndexOf('.') + 1)) === normalised(b.slice(b.lastIndexOf('.') + 1));
}

export function within(node: ts.Node, outer: ts.Node): boolean {
  return node.pos >= outer.pos && node.end <= outer.end;
}

/** Whether the code of `earlier` stands before that of `later`, in the same function or one around it. */
export function runsBefore(unit: Unit, earlier: ts.Node, later: ts.Node): boolean {
  const fn = enclosingFunction(unit, earlier);
  return earlier.end <= later.pos + 1 && !unit.ts.isSourceFile(fn) && within(later, fn);
}

/** Whether an expression is computed from what another expression gave, through local names. */
export function derivesFrom(unit: Unit, value: ts.Node, origin: ts.Node): boolean {
  return reaches(unit, value, (n) => n === origin);
}

/** Whether an expression is what another one gave, or a part or copy of it: the answer of a call that was handed a property of it is not. */
export function isPartOf(unit: Unit, value: ts.Node, origin: ts.Node): boolean {
  const { ts } = unit;
  return reaches(unit, value, (n) => n === origin, (call) => call.arguments.every((a) => {
    const e = bare(unit, a);
    return !ts.isPropertyAccessExpression(e) && !ts.isObjectLiteralExpression(e);
  }) || /^(?:JSON\.\w+|structuredClone|Object\.\w+)$/.test(call.expression.getText(unit.file)));
}

/** Visits all code a value is computed from, through local names, until `found` says yes. `looksInto`: whether the arguments of a call count. */
export function reaches(unit: Unit, value: ts.Node, found: (n: ts.Node) => boolean, looksInto: (call: ts.CallExpression) => boolean = () => true): boolean {
  const { ts } = unit;
  const seen = new Set<ts.Node>();
  return look(value);

  function look(node: ts.Node): boolean {
    if (seen.has(node) || seen.size > 400) return false;
    seen.add(node);
    if (found(node)) return true;
    if (ts.isIdentifier(node)) {
      const source = sourceOf(node);
      if (source !== undefined && look(source)) return true;
    }
    // What a list is chosen or sorted by is no part of what is in it.
    if (ts.isCallExpression(node) && (!looksInto(node) || isChoice(node))) return look(node.expression);
    return ts.forEachChild(node, (child) => (isFunction(child) ? false : look(child))) === true;
  }

  function isChoice({ expression }: ts.CallExpression): boolean {
    return ts.isPropertyAccessExpression(expression) && /^(?:filter|find|findLast|sort|toSorted)$/.test(expression.name.text);
  }

  function isFunction(node: ts.Node): boolean {
    return ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node);
  }

  function sourceOf(id: ts.Identifier): ts.Node | undefined {
    if (ts.isPropertyAccessExpression(id.parent) && id.parent.name === id) return undefined;
    const binding = unit.scopes.resolve(id);
    let d: ts.Node | undefined = binding?.declaration;
    while (d !== undefined && !ts.isVariableDeclaration(d)) d = ts.isBindingElement(d) || ts.isObjectBindingPattern(d) || ts.isArrayBindingPattern(d) ? d.parent : undefined;
    // `let run = null; try { run = await ..; }`
    const [only, ...more] = binding?.writes ?? [];
    const starts = d?.initializer;
    if (starts !== undefined && !(starts.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(starts) && starts.text === 'undefined'))) return starts;
    if (d !== undefined && binding?.kind === 'let' && more.length === 0 && only !== undefined && ts.isBinaryExpression(only) && only.operatorToken.kind === ts.SyntaxKind.EqualsToken) return only.right;
    const loop = d?.parent.parent;
    return loop !== undefined && ts.isForOfStatement(loop) ? loop.expression : undefined;
  }
}
