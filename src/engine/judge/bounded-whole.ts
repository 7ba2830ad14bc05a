import type ts from 'typescript';
import { bare, followed } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** A computed number that is whole and has a least value above zero: `Math.max(1_000, Math.ceil(x))`. */
export function isBoundedWhole(unit: Unit, node: ts.Expression): boolean {
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

function mathOf(unit: Unit, call: ts.CallExpression): string {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  return ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression) && callee.expression.text === 'Math' ? callee.name.text : '';
}
