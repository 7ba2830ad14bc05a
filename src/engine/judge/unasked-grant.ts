import type ts from 'typescript';
import type { Place } from '../place.js';
import { bare, enclosingFunction, initialiserOf } from '../syntax/expression.js';
import { plainStatements } from '../syntax/plain-statements.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import type { ImplementedOperation } from './implementation-subject.js';

/** A lock that is granted when its loop of attempts makes no round at all: a bound of 0 asks nobody. */
export interface UnaskedGrant {
  /** The loop. */
  readonly loop: Place;
  /** What bounds it, as text. */
  readonly bound: string;
  /** Where it says yes, or runs the work. */
  readonly at: Place;
  readonly operation: string;
  /** Whoever calls it chooses the bound; otherwise a field does. */
  readonly byCaller: boolean;
}

/**
 * The first attempt-loop of an acquire that success leaves by `break` and refusal by `return` or `throw`, so that what stands behind it takes the lock for granted. Undefined
 * where the first round always runs, where the bound is tested, or where the answer is tested behind the loop.
 */
export function unaskedGrant(unit: Unit, operations: readonly ImplementedOperation[]): UnaskedGrant | undefined {
  const { ts } = unit;
  const K = ts.SyntaxKind;
  for (const { fn, role, name } of operations) {
    if (fn.body === undefined || (role !== 'acquire' && role !== 'section')) continue;
    for (const loop of loopsOf(fn.body)) {
      const bound = boundOfNothing(loop);
      if (bound === undefined || !asksAndBreaks(loop.statement) || !refuses(loop.statement) || isTested(fn, bound)) continue;
      const yes = grantedAfter(loop, fn, role === 'section');
      const by = yes && chosenBy(bound);
      if (yes !== undefined && by !== undefined) return { loop: unit.placeOf(loop), bound: bound.getText(unit.file), at: unit.placeOf(yes), operation: name, byCaller: by === 'caller' };
    }
  }
  return undefined;

  function loopsOf(body: ts.Node): (ts.WhileStatement | ts.ForStatement)[] {
    const found: (ts.WhileStatement | ts.ForStatement)[] = [];
    const visit = (n: ts.Node): void => {
      if (ts.isFunctionLike(n)) return;
      if (ts.isWhileStatement(n) || ts.isForStatement(n)) found.push(n);
      ts.forEachChild(n, visit);
    };
    ts.forEachChild(body, visit);
    return found;
  }

  /** What the loop counts up to, where a value of 0 there makes the first test false. */
  function boundOfNothing(loop: ts.WhileStatement | ts.ForStatement): ts.Expression | undefined {
    const condition = ts.isWhileStatement(loop) ? loop.expression : loop.condition;
    return condition === undefined ? undefined : conjuncts(condition).map(boundOf).find((e) => e !== undefined);
  }

  function conjuncts(e: ts.Expression): ts.Expression[] {
    const b = bare(unit, e);
    return ts.isBinaryExpression(b) && b.operatorToken.kind === K.AmpersandAmpersandToken ? [...conjuncts(b.left), ...conjuncts(b.right)] : [b];
  }

  function boundOf(e: ts.Expression): ts.Expression | undefined {
    if (!ts.isBinaryExpression(e)) return undefined;
    const [left, right] = [sideOf(e.left), sideOf(e.right)];
    const bound = left.at === undefined ? left.name : right.at === undefined ? right.name : undefined;
    if (bound === undefined || (left.at === undefined && right.at === undefined)) return undefined;
    const [a, b] = [left.at ?? left.step, right.at ?? right.step];
    switch (e.operatorToken.kind) {
      case K.LessThanToken: return a < b ? undefined : bound;
      case K.LessThanEqualsToken: return a <= b ? undefined : bound;
      case K.GreaterThanToken: return a > b ? undefined : bound;
      case K.GreaterThanEqualsToken: return a >= b ? undefined : bound;
      default: return undefined;
    }
  }

  /** A side of the first test: the number a counter starts at, or a name that is not known and taken for 0. */
  function sideOf(node: ts.Expression): { readonly at: number | undefined; readonly step: number; readonly name: ts.Expression | undefined } {
    const e = bare(unit, node);
    if (ts.isPrefixUnaryExpression(e) && (e.operator === K.PlusPlusToken || e.operator === K.MinusMinusToken)) {
      const step = e.operator === K.PlusPlusToken ? 1 : -1;
      const inner = sideOf(e.operand);
      return { at: inner.at === undefined ? undefined : inner.at + step, step, name: inner.name };
    }
    if (ts.isPostfixUnaryExpression(e)) return sideOf(e.operand);
    const term = termOf(unit, e);
    if (term.kind === 'const') return { at: typeof term.value === 'number' ? term.value : Number.NaN, step: 0, name: undefined };
    const d = ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
    const start = d !== undefined && ts.isVariableDeclaration(d) && d.initializer !== undefined ? termOf(unit, d.initializer) : undefined;
    if (start?.kind === 'const' && typeof start.value === 'number') return { at: start.value, step: 0, name: undefined };
    const isName = ts.isIdentifier(e) || ts.isPropertyAccessExpression(e);
    return { at: isName ? undefined : Number.NaN, step: 0, name: isName ? e : undefined };
  }

  /** `if (await ask()) break;`, or of a name that holds the answer. */
  function asksAndBreaks(body: ts.Node): boolean {
    return some(body, (n) => ts.isAwaitExpression(n)) && some(body, (n) => ts.isBreakStatement(n) && n.label === undefined && isOwn(n, body));
  }

  function refuses(body: ts.Node): boolean {
    return some(body, (n) => ts.isThrowStatement(n) || (ts.isReturnStatement(n) && isNo(n.expression)));
  }

  function isNo(e: ts.Expression | undefined): boolean {
    return e === undefined || e.kind === K.FalseKeyword || e.kind === K.NullKeyword || (ts.isIdentifier(e) && e.text === 'undefined');
  }

  function isOwn(node: ts.Node, body: ts.Node): boolean {
    for (let n = node.parent; n !== body.parent; n = n.parent) if (ts.isIterationStatement(n, false) || ts.isSwitchStatement(n)) return false;
    return true;
  }

  function some(root: ts.Node, is: (n: ts.Node) => boolean): boolean {
    const visit = (n: ts.Node): boolean => !ts.isFunctionLike(n) && (is(n) || ts.forEachChild(n, (c) => (visit(c) ? true : undefined)) === true);
    return visit(root);
  }

  /** The yes that follows without a question. */
  function grantedAfter(loop: ts.Statement, fn: ts.FunctionLikeDeclaration, isSection: boolean): ts.Node | undefined {
    if (!ts.isBlock(loop.parent)) return undefined;
    const statements = plainStatements(unit, loop.parent.statements);
    const parameters = new Set(fn.parameters.flatMap((p) => (ts.isIdentifier(p.name) ? [p.name.text] : [])));
    for (const s of statements.slice(statements.indexOf(loop) + 1)) {
      if (ts.isIfStatement(s) || ts.isSwitchStatement(s) || ts.isThrowStatement(s) || ts.isIterationStatement(s, false)) return undefined;
      if (isSection && some(s, (n) => ts.isCallExpression(n) && ts.isIdentifier(n.expression) && parameters.has(n.expression.text))) return s;
      if (ts.isReturnStatement(s)) return !isSection && s.expression !== undefined && isYes(s.expression, loop) ? s : undefined;
    }
    return undefined;
  }

  function isYes(value: ts.Expression, loop: ts.Node): boolean {
    const e = bare(unit, value);
    if (e.kind === K.TrueKeyword || ts.isNewExpression(e) || ts.isStringLiteralLike(e)) return true;
    if (ts.isObjectLiteralExpression(e)) return !e.properties.some((p) => ts.isPropertyAssignment(p) && p.initializer.kind === K.FalseKeyword);
    // A token made before the loop.
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    return binding !== undefined && initialiserOf(unit, binding) !== undefined && binding.declaration.end < loop.pos;
  }

  /** `if (attempts < 1) throw`, `Math.max(1, attempts)`: somebody thought of it. */
  function isTested(fn: ts.FunctionLikeDeclaration, bound: ts.Expression): boolean {
    const name = bound.getText(unit.file);
    const init = ts.isIdentifier(bound) ? initOf(bound) : undefined;
    if (init !== undefined && /\bMath\.max\b/.test(init.getText(unit.file))) return true;
    return some(fn.body ?? fn, (n) => ts.isIfStatement(n) && ts.isBinaryExpression(n.expression) && n.expression.left.getText(unit.file) === name && /^[01]$/.test(n.expression.right.getText(unit.file)));
  }

  function initOf(id: ts.Identifier): ts.Expression | undefined {
    const binding = unit.scopes.resolve(id);
    return binding && initialiserOf(unit, binding);
  }

  /** Who may choose 0: a parameter's value or a field's. A constant elsewhere has its value. */
  function chosenBy(bound: ts.Expression, depth = 0): 'caller' | 'field' | undefined {
    if (depth > 3) return undefined;
    let found: 'caller' | 'field' | undefined;
    const visit = (n: ts.Node): void => {
      if (n.kind === K.ThisKeyword && found === undefined) found = 'field';
      const binding = ts.isIdentifier(n) && !(ts.isPropertyAccessExpression(n.parent) && n.parent.name === n) ? unit.scopes.resolve(n) : undefined;
      if (binding?.kind === 'param' && !ts.isSourceFile(enclosingFunction(unit, binding.id))) found = 'caller';
      const d = binding?.declaration;
      // `const { attempts } = options`
      const init = d !== undefined && ts.isBindingElement(d) && ts.isVariableDeclaration(d.parent.parent) ? d.parent.parent.initializer : binding && initialiserOf(unit, binding);
      if (binding?.kind !== 'param' && init !== undefined) {
        const inner = chosenBy(init, depth + 1);
        if (inner === 'caller' || found === undefined) found = inner ?? found;
      }
      ts.forEachChild(n, visit);
    };
    visit(bound);
    return found;
  }
}
