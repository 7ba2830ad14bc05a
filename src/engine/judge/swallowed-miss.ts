import type ts from 'typescript';
import { cannotThrow, hasEffect, isOnLogger } from '../flow/call-words.js';
import type { AccessNode } from '../operations/state-access.js';
import { enclosingFunction, isFunctionWithBody, wholeValue } from '../syntax/expression.js';
import { leaves } from '../syntax/plain-statements.js';
import type { Unit } from '../syntax/unit.js';

/** A miss that throws, the clause that only logs it, and what runs after it as after a hit. */
export interface SwallowedMiss {
  readonly clause: ts.CatchClause;
  readonly effect: ts.CallExpression;
}

/** Names of what stores throw when a condition does not hold. */
const MISMATCH = /ConditionalCheck|Conditional|P2025|NotFound|NoResult|OptimisticLock|Version(?:Error|Mismatch)|StaleObject|Conflict|Precondition|\b(?:409|412)\b|WrongExpected|FailedPrecondition/i;

/**
 * A guarded write whose miss is an error, in a `try` whose `catch` lets that error pass: it logs, throws all other errors at most, and what comes after the `try` is
 * work. A clause that notes the miss, returns, or answers it otherwise heeds it.
 */
export function swallowedMiss(unit: Unit, write: AccessNode): SwallowedMiss | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, write);
  const around = tryAround();
  const clause = around?.catchClause;
  if (around === undefined || clause === undefined || !clause.block.statements.every(passes)) return undefined;
  const effect = workAfter(around);
  return effect && { clause, effect };

  function tryAround(): ts.TryStatement | undefined {
    for (let n: ts.Node = write; n !== fn && n.parent; n = n.parent) if (ts.isTryStatement(n.parent)) return n.parent.tryBlock === n ? n.parent : undefined;
    return undefined;
  }

  /** A log, or a test that throws what is no mismatch. */
  function passes(statement: ts.Statement): boolean {
    if (ts.isExpressionStatement(statement)) {
      const e = ts.isAwaitExpression(statement.expression) ? statement.expression.expression : statement.expression;
      return ts.isCallExpression(e) && (isOnLogger(unit, e) || cannotThrow(unit, e));
    }
    if (!ts.isIfStatement(statement) || statement.elseStatement !== undefined) return false;
    if (!leaves(unit, statement.thenStatement)) return (ts.isBlock(statement.thenStatement) ? statement.thenStatement.statements : [statement.thenStatement]).every(passes);
    const test = statement.expression.getText(unit.file);
    return MISMATCH.test(test) && /^!|!==?/.test(test);
  }

  function workAfter(t: ts.TryStatement): ts.CallExpression | undefined {
    let found: ts.CallExpression | undefined;
    const block = t.parent;
    const visit = (n: ts.Node): void => {
      if (found !== undefined || isFunctionWithBody(unit, n)) return;
      if (ts.isCallExpression(n) && isAwaited(n) && hasEffect(unit, n)) found = n;
      else ts.forEachChild(n, visit);
    };
    if (ts.isBlock(block) || ts.isSourceFile(block)) for (const s of block.statements) if (s.pos >= t.end) visit(s);
    return found;
  }

  function isAwaited(call: ts.CallExpression): boolean {
    const whole = wholeValue(unit, call);
    return ts.isAwaitExpression(whole) || ts.isAwaitExpression(call.parent) || ts.isReturnStatement(whole.parent);
  }
}
