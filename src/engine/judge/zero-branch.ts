import type ts from 'typescript';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** The branch of a choice in place that is zero or less: the `0` of `wait ? seconds : 0` and of `options.ttl ?? 0`. A name may have been tested before. */
export function zeroBranch(unit: Unit, expression: ts.Expression): ts.Expression | undefined {
  const { ts } = unit;
  const e = bare(unit, expression);
  if (ts.isConditionalExpression(e)) return zero(e.whenTrue) ?? zero(e.whenFalse);
  if (!ts.isBinaryExpression(e)) return undefined;
  const { kind } = e.operatorToken;
  return kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken ? zero(e.right) : undefined;

  function zero(branch: ts.Expression): ts.Expression | undefined {
    const term = termOf(unit, branch);
    return term.kind === 'const' && typeof term.value === 'number' && term.value <= 0 ? branch : zeroBranch(unit, branch);
  }
}
