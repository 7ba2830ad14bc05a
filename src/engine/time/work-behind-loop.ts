import type ts from 'typescript';
import { calledName, hasEffect, isOnLogger } from '../flow/call-words.js';
import { ormAccess } from '../operations/access-orm.js';
import { sqlAccess } from '../operations/access-sql.js';
import { lockRole } from '../operations/lock-words.js';
import { bare, isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** What ends things is right to run when the lock is gone. */
const ENDS = /^(?:release|close|end|destroy|dispose|rollback|abort|cancel|stop|cleanup|fail\w*|requeue|nack|reject|unlock|free|drop|give\w*|report\w*|notify\w*)$/i;

/** A branch that does no more than `break`, and the work that its function goes on with behind the loop, whoever ended it. */
export function workBehindLoop(unit: Unit, branch: ts.Statement): ts.CallExpression | undefined {
  const { ts } = unit;
  const statements = ts.isBlock(branch) ? branch.statements : [branch];
  const last = statements.at(-1);
  if (last === undefined || !ts.isBreakStatement(last) || last.label !== undefined || !statements.slice(0, -1).every(isLog)) return undefined;
  let loop: ts.Node = branch;
  while (loop.parent && !ts.isIterationStatement(loop, false)) {
    if (ts.isFunctionLike(loop) || ts.isSwitchStatement(loop)) return undefined;
    loop = loop.parent;
  }
  const around = loop.parent;
  if (!ts.isIterationStatement(loop, false) || !ts.isBlock(around)) return undefined;
  let found: ts.CallExpression | undefined;
  const visit = (n: ts.Node): void => {
    // What is asked for first may be the loss itself.
    if (found !== undefined || isFunctionWithBody(unit, n) || ts.isIfStatement(n) || ts.isConditionalExpression(n)) return;
    const call = ts.isAwaitExpression(n) ? bare(unit, n.expression) : undefined;
    if (call !== undefined && ts.isCallExpression(call) && (hasEffect(unit, call) || writesRows(call)) && lockRole(calledName(unit, call)) === undefined && !ENDS.test(calledName(unit, call))) found = call;
    else ts.forEachChild(n, visit);
  };
  for (const s of around.statements) {
    if (s.pos < loop.end) continue;
    if (found !== undefined || ts.isIfStatement(s)) break;
    visit(s);
  }
  return found;

  function writesRows(call: ts.CallExpression): boolean {
    return (ormAccess(unit, call) ?? sqlAccess(unit, call))?.kind === 'write';
  }

  function isLog(s: ts.Statement): boolean {
    return ts.isExpressionStatement(s) && ts.isCallExpression(s.expression) && isOnLogger(unit, s.expression);
  }
}
