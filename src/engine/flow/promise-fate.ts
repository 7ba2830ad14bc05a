import type ts from 'typescript';
import { bare } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';

/**
 * What becomes of the promise that an expression gives. `handled`: nobody waits, but a failure is seen to. `dropped`: nobody waits and nobody sees a failure (`voided`: on purpose).
 * `tested`: taken for its value, as if it had come already. `raced`: it may go on after the race is over. `kept`: stored or handed to code that is not followed.
 */
export type PromiseFate =
  | { readonly kind: 'awaited' | 'returned' | 'kept' }
  /** `chained`: its own `then` goes on with the value. */
  | { readonly kind: 'handled'; readonly chained: boolean }
  | { readonly kind: 'dropped'; readonly voided: boolean; readonly chained: boolean }
  | { readonly kind: 'tested'; readonly at: ts.Node }
  /** `isLost`: it has no name, so that nobody can see to it after a timer has won. */
  | { readonly kind: 'raced'; readonly race: ts.CallExpression; readonly isLost: boolean };

/** What ends a race by the clock. */
export const TIMER = /sleep|delay|time_?(?:d_?)?out|timer|deadline|expir|abort|setTimeout|wait(?:For)?\b/i;

/** Follows a promise outwards through the expression it stands in, and through a name it is given. */
export function promiseFate(unit: Unit, node: ts.Expression): PromiseFate {
  const { ts } = unit;
  let e: ts.Expression = node;
  let handled = false;
  let chained = false;
  for (;;) {
    const p: ts.Node = e.parent;
    if (ts.isAwaitExpression(p) || (ts.isForOfStatement(p) && p.awaitModifier !== undefined && p.expression === e)) return { kind: 'awaited' };
    // What a timer or an event calls gives its promise to nobody.
    if (ts.isArrowFunction(p) && p.body === e && isCalledByNobody(p)) return handled ? { kind: 'handled', chained } : { kind: 'dropped', voided: true, chained };
    if (ts.isReturnStatement(p) || (ts.isArrowFunction(p) && p.body === e)) return { kind: 'returned' };
    if (ts.isVoidExpression(p)) return handled ? { kind: 'handled', chained } : { kind: 'dropped', voided: true, chained };
    if (ts.isExpressionStatement(p)) return handled ? { kind: 'handled', chained } : { kind: 'dropped', voided: false, chained };
    if (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p) || ts.isSatisfiesExpression(p)) e = p;
    else if (ts.isConditionalExpression(p)) {
      if (p.condition === e) return { kind: 'tested', at: e };
      e = p;
    } else if (ts.isBinaryExpression(p)) {
      const next = ofBinary(p, e);
      if (next === undefined) return { kind: 'kept' };
      if (next === 'tested') return { kind: 'tested', at: e };
      e = next;
    } else if (ts.isPropertyAccessExpression(p) && p.expression === e) {
      const call = p.parent;
      if (!ts.isCallExpression(call) || call.expression !== p || !/^(?:then|catch|finally)$/.test(p.name.text)) return { kind: 'tested', at: e };
      if (p.name.text === 'then') chained = true;
      if ((p.name.text === 'catch' && call.arguments.length > 0) || (p.name.text === 'then' && call.arguments.length > 1)) handled = true;
      e = call;
    } else if (ts.isArrayLiteralExpression(p) && ts.isCallExpression(p.parent) && p.parent.arguments[0] === p) {
      const gather = gatherOf(p.parent);
      if (gather === 'race') return { kind: 'raced', race: p.parent, isLost: !chained && !isStoppable(e) && p.elements.some((x) => x !== e && TIMER.test(x.getText(unit.file))) };
      if (gather === undefined) return { kind: 'kept' };
      e = p.parent;
    } else if (ts.isPrefixUnaryExpression(p) || ((ts.isIfStatement(p) || ts.isWhileStatement(p)) && p.expression === e)) return { kind: 'tested', at: e };
    else if (ts.isVariableDeclaration(p) && p.initializer === e) return ofName(p.name, e, handled);
    else return { kind: 'kept' };
  }

  /** It is handed a signal that is made here, which may end it. */
  function isStoppable(e: ts.Expression): boolean {
    return ts.isCallExpression(e) && e.arguments.some((a) => /(?:abort|controller|stop\w*)\.signal\b/i.test(a.getText(unit.file)));
  }

  function isCalledByNobody(fn: ts.ArrowFunction): boolean {
    const call = fn.parent;
    return ts.isCallExpression(call) && call.arguments.some((a) => a === fn) && /^(?:setTimeout|setInterval|setImmediate|queueMicrotask)$|^process\.(?:nextTick|on|once)$/.test(call.expression.getText(unit.file));
  }

  function ofBinary(p: ts.BinaryExpression, e: ts.Expression): ts.Expression | 'tested' | undefined {
    const K = ts.SyntaxKind;
    switch (p.operatorToken.kind) {
      case K.AmpersandAmpersandToken:
      case K.BarBarToken:
      case K.QuestionQuestionToken: return p.right === e ? p : p.operatorToken.kind === K.QuestionQuestionToken ? undefined : 'tested';
      case K.CommaToken: return p.right === e ? p : undefined;
      case K.EqualsEqualsEqualsToken:
      case K.ExclamationEqualsEqualsToken:
      case K.EqualsEqualsToken:
      case K.ExclamationEqualsToken:
      case K.LessThanToken:
      case K.GreaterThanToken: return 'tested';
      default: return undefined;
    }
  }

  function gatherOf(call: ts.CallExpression): 'all' | 'race' | undefined {
    const callee = bare(unit, call.expression);
    if (!ts.isPropertyAccessExpression(callee)) return undefined;
    // A database runs the list as one.
    if (/^\$?(?:transaction|batch)$/.test(callee.name.text)) return 'all';
    if (callee.expression.getText(unit.file) !== 'Promise') return undefined;
    return /^all/.test(callee.name.text) ? 'all' : /^(?:race|any)$/.test(callee.name.text) ? 'race' : undefined;
  }

  /** All that is done with the name. Without an await in sight, code that gets it may do so. */
  function ofName(name: ts.BindingName, value: ts.Expression, isHandled: boolean): PromiseFate {
    if (!ts.isIdentifier(name)) return { kind: 'tested', at: value };
    const binding = unit.scopes.resolve(name);
    const uses = binding === undefined ? [] : usesOf(unit, binding);
    if (uses.length === 0) return binding === undefined || isExported(name) ? { kind: 'kept' } : isHandled ? { kind: 'handled', chained } : { kind: 'dropped', voided: false, chained };
    // A name can be asked after the race.
    const fates = uses.map((use) => promiseFate(unit, use)).map((f): PromiseFate => (f.kind === 'raced' && uses.length > 1 ? { ...f, isLost: false } : f));
    return fates.find((f) => f.kind === 'awaited' || f.kind === 'returned') ?? fates.find((f) => f.kind === 'kept' || f.kind === 'raced' || f.kind === 'handled') ?? fates.find((f) => f.kind === 'tested') ?? { kind: 'kept' };
  }

  function isExported(name: ts.Node): boolean {
    for (let n = name; n.parent && !ts.isSourceFile(n.parent); n = n.parent) if (ts.isVariableStatement(n)) return n.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) === true;
    return false;
  }
}

/** The places that read a name after its declaration. */
export function usesOf(unit: Unit, binding: Binding): readonly ts.Identifier[] {
  const { ts } = unit;
  const found: ts.Identifier[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isIdentifier(n) && n !== binding.id && n.text === binding.name && unit.scopes.resolve(n) === binding && !isNameOfProperty(n)) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(binding.scope);
  return found;

  function isNameOfProperty(id: ts.Identifier): boolean {
    return (ts.isPropertyAccessExpression(id.parent) && id.parent.name === id) || (ts.isPropertyAssignment(id.parent) && id.parent.name === id);
  }
}
