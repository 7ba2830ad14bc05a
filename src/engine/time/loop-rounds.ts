import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { bare, followed } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import type { Resolve } from './duration.js';
import { leavesLoop } from './leaves.js';

/**
 * How often a loop can go round. `count`: so often at most. `endless`: until its own work says stop. `list`: as often as a list is long, of which the code does not
 * tell the length. `bounded`: something in sight ends it, and nobody knows after how many rounds.
 */
export type Rounds = { readonly kind: 'count'; readonly count: number } | { readonly kind: 'endless' | 'list' | 'bounded' };

const BOUNDED: Rounds = { kind: 'bounded' };

export function roundsOf(unit: Unit, loop: ts.IterationStatement, resolve: Resolve): Rounds {
  const { ts } = unit;
  if (ts.isForInStatement(loop)) return { kind: 'list' };
  if (ts.isForOfStatement(loop)) return loop.awaitModifier !== undefined ? { kind: 'endless' } : roundsOverList(unit, loop.expression, resolve);
  if (asksClock(unit, loop)) return BOUNDED;
  if (ts.isForStatement(loop)) return loop.condition === undefined ? guarded(loop) : roundsOfCounter(loop);
  if (!ts.isWhileStatement(loop) && !ts.isDoStatement(loop)) return BOUNDED;
  const condition = bare(unit, loop.expression);
  if (condition.kind === ts.SyntaxKind.TrueKeyword) return guarded(loop);
  return isComparison(condition) && !asksForMore(condition) ? BOUNDED : guarded(loop);

  /** A counter that a test inside compares with a limit ends the loop. */
  function guarded(inner: ts.IterationStatement): Rounds {
    return countsItself(unit, inner) ? BOUNDED : { kind: 'endless' };
  }

  function isComparison(e: ts.Expression): boolean {
    if (!ts.isBinaryExpression(e)) return false;
    const op = e.operatorToken.kind;
    if (op === ts.SyntaxKind.AmpersandAmpersandToken) return isComparison(bare(unit, e.left)) || isComparison(bare(unit, e.right));
    return op === ts.SyntaxKind.LessThanToken || op === ts.SyntaxKind.LessThanEqualsToken || op === ts.SyntaxKind.GreaterThanToken || op === ts.SyntaxKind.GreaterThanEqualsToken;
  }

  /** `while ((batch = await next()).length > 0)` goes on as long as there is work. */
  function asksForMore(e: ts.Expression): boolean {
    if (!ts.isBinaryExpression(e)) return false;
    if (e.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) return [e.left, e.right].every((x) => !isComparison(bare(unit, x)) || asksForMore(bare(unit, x)));
    const limit = resolve(termOf(unit, e.right));
    return limit.kind === 'const' && limit.value === 0;
  }

  function roundsOfCounter(l: ts.ForStatement): Rounds {
    const condition = l.condition && bare(unit, l.condition);
    if (condition === undefined || !isComparison(condition) || !ts.isBinaryExpression(condition)) return guarded(l);
    const first = l.initializer !== undefined && ts.isVariableDeclarationList(l.initializer) ? l.initializer.declarations[0] : undefined;
    const from = first?.initializer && resolve(termOf(unit, first.initializer));
    const to = resolve(termOf(unit, condition.right));
    if (from?.kind === 'const' && typeof from.value === 'number' && to.kind === 'const' && typeof to.value === 'number' && l.incrementor !== undefined && isStepOfOne(l.incrementor)) {
      const inclusive = condition.operatorToken.kind === ts.SyntaxKind.LessThanEqualsToken || condition.operatorToken.kind === ts.SyntaxKind.GreaterThanEqualsToken;
      return { kind: 'count', count: Math.max(0, Math.abs(to.value - from.value) + (inclusive ? 1 : 0)) };
    }
    const bound = bare(unit, condition.right);
    return ts.isPropertyAccessExpression(bound) && bound.name.text === 'length' ? roundsOverList(unit, bound.expression, resolve) : BOUNDED;
  }

  function isStepOfOne(e: ts.Expression): boolean {
    return ts.isPrefixUnaryExpression(e) || ts.isPostfixUnaryExpression(e) || (ts.isBinaryExpression(e) && /^\w+\s*[-+]=\s*1$/.test(e.getText(unit.file)));
  }
}

function roundsOverList(unit: Unit, list: ts.Expression, resolve: Resolve): Rounds {
  const { ts } = unit;
  const e = followed(unit, list);
  if (ts.isArrayLiteralExpression(e)) return e.elements.some((x) => ts.isSpreadElement(x)) ? { kind: 'list' } : { kind: 'count', count: e.elements.length };
  const term = resolve(termOf(unit, e));
  if (term.kind === 'list') return { kind: 'count', count: term.items.length };
  // A slice, a page, a batch, an own list of constants by its name: somebody has thought of the length.
  if (/\.slice\(|\btake:|\blimit\b|\bLIMIT\b|\.limit\(|\.splice\(|batchSize|\bchunk/i.test(e.getText(unit.file))) return BOUNDED;
  if (ts.isIdentifier(e) && /^[A-Z][A-Z0-9_]+$/.test(e.text)) return BOUNDED;
  return { kind: 'list' };
}

/** The clock, a deadline or a signal is asked whether to go on. */
export function asksClock(unit: Unit, loop: ts.Node): boolean {
  const { ts } = unit;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (found || ts.isFunctionLike(n)) return;
    const condition = ts.isIfStatement(n) || ts.isWhileStatement(n) || ts.isDoStatement(n) ? n.expression : ts.isForStatement(n) ? n.condition : ts.isConditionalExpression(n) ? n.condition : undefined;
    if (condition !== undefined && CLOCK.test(condition.getText(unit.file))) found = true;
    else if (ts.isCallExpression(n) && calledName(unit, n) === 'throwIfAborted') found = true;
    else ts.forEachChild(n, visit);
  };
  visit(loop);
  return found;
}

const CLOCK = /Date\.now\(\)|performance\.now\(\)|\bdeadline\b|\bexpires?\w*|\belapsed\w*|timed?Out|\baborted\b|\bisTimeUp|timeBudget|remaining(?:Time|Ms)/i;

/** `if (++rounds > MAX) break`, `if (attempt >= limit) throw`; a branch that only goes on to the next round bounds nothing. */
function countsItself(unit: Unit, loop: ts.IterationStatement): boolean {
  const { ts } = unit;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (found || ts.isFunctionLike(n)) return;
    if (ts.isIfStatement(n) && /\b(?:attempts?|tries|retries|rounds?|iterations?|pages?|count|i|n)\b\+{0,2}\s*(?:>=?|===)\s*(?:[A-Z][A-Z0-9_]*|\w*(?:max|limit)\w*|\d+)\b/i.test(n.expression.getText(unit.file)) && leavesLoop(unit, n.thenStatement, loop)) found = true;
    else ts.forEachChild(n, visit);
  };
  visit(loop.statement);
  return found;
}
