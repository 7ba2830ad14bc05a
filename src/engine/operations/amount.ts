import type ts from 'typescript';
import { bare, followed } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** What the code shows of a number that is not a constant. */
export function amountOf(unit: Unit, node: ts.Expression | undefined): 'fraction' | 'whole' | 'unknown' {
  if (node === undefined) return 'unknown';
  if (mayBeFraction(unit, node)) return 'fraction';
  return isBoundedWhole(unit, node) ? 'whole' : 'unknown';
}

/** `Math.max(1_000, Math.ceil(x))` */
function isBoundedWhole(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  const e = followed(unit, node);
  if (!ts.isCallExpression(e) || mathOf(unit, e) !== 'max') return false;
  const values = e.arguments.map((a) => termOf(unit, a));
  const isConstant = (i: number): boolean => values[i]?.kind === 'const' && Number.isInteger(values[i].value);
  const least = values.some((v) => v.kind === 'const' && typeof v.value === 'number' && v.value >= 1);
  return least && e.arguments.every((a, i) => isConstant(i) || isRounded(unit, a));
}

function isRounded(unit: Unit, node: ts.Expression): boolean {
  const e = followed(unit, node);
  return unit.ts.isCallExpression(e) && /^(?:ceil|floor|round|trunc)$/.test(mathOf(unit, e));
}

/**
 * Whether a number is left with a fraction for some values: a division, a product with 2.5 or with a random number, and no rounding around it. Values that
 * are constant as a whole are known and not asked here; what other code computes is not followed.
 */
function mayBeFraction(unit: Unit, node: ts.Expression | undefined, depth = 0): boolean {
  const { ts } = unit;
  if (node === undefined || depth > 6) return false;
  const e = followed(unit, node);
  const next = (x: ts.Expression): boolean => mayBeFraction(unit, x, depth + 1);
  if (ts.isConditionalExpression(e)) return next(e.whenTrue) || next(e.whenFalse);
  if (ts.isCallExpression(e)) return mathOf(unit, e) === 'random' || (/^(?:max|min)$/.test(mathOf(unit, e)) && e.arguments.some(next));
  const value = termOf(unit, e);
  if (value.kind === 'const') return typeof value.value === 'number' && Number.isFinite(value.value) && !Number.isInteger(value.value);
  if (!ts.isBinaryExpression(e)) return false;
  const K = ts.SyntaxKind;
  switch (e.operatorToken.kind) {
    case K.SlashToken: return !isOne(unit, e.right);
    case K.AsteriskToken: return (next(e.left) && !undoes(unit, e.left, e.right)) || next(e.right);
    case K.PlusToken:
    case K.MinusToken:
    case K.QuestionQuestionToken:
    case K.BarBarToken: return next(e.left) || next(e.right);
    default: return false;
  }
}

function isOne(unit: Unit, node: ts.Expression): boolean {
  const value = termOf(unit, node);
  return value.kind === 'const' && value.value === 1;
}

/** `x / 1000 * 1000`, and times a number that is not known. */
function undoes(unit: Unit, left: ts.Expression, right: ts.Expression): boolean {
  const inner = bare(unit, left);
  const factor = termOf(unit, right);
  return factor.kind !== 'const' || (unit.ts.isBinaryExpression(inner) && inner.operatorToken.kind === unit.ts.SyntaxKind.SlashToken && typeof factor.value === 'number' && factor.value > 1);
}

function mathOf(unit: Unit, call: ts.CallExpression): string {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  return ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression) && callee.expression.text === 'Math' ? callee.name.text : '';
}
