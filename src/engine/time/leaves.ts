import type ts from 'typescript';
import type { Unit } from '../syntax/unit.js';

/** Whether a branch ends by leaving: its function, or also its loop's round. Blocks in blocks change nothing. */
export function leaves(unit: Unit, statement: ts.Statement, from: 'function' | 'round' = 'function'): boolean {
  const { ts } = unit;
  let last: ts.Statement | undefined = statement;
  while (last !== undefined && ts.isBlock(last)) last = last.statements.at(-1);
  if (last === undefined) return false;
  return ts.isReturnStatement(last) || ts.isThrowStatement(last) || (from === 'round' && (ts.isContinueStatement(last) || ts.isBreakStatement(last)));
}

/** Whether a branch ends by leaving a loop for good: its function, or the loop itself. `continue`, and a `break` of a switch or of a loop within, leave nothing. */
export function leavesLoop(unit: Unit, statement: ts.Statement, loop: ts.IterationStatement): boolean {
  const { ts } = unit;
  let last: ts.Statement | undefined = statement;
  while (last !== undefined && ts.isBlock(last)) last = last.statements.at(-1);
  if (last === undefined) return false;
  if (ts.isReturnStatement(last) || ts.isThrowStatement(last)) return true;
  if (!ts.isBreakStatement(last) && !ts.isContinueStatement(last)) return false;
  const { label } = last;
  const takesBreak = (n: ts.Node): boolean => ts.isIterationStatement(n, false) || (ts.isSwitchStatement(n) && label === undefined && ts.isBreakStatement(last));
  let target: ts.Node = last.parent;
  while (!ts.isSourceFile(target) && !(label === undefined ? takesBreak(target) : ts.isLabeledStatement(target) && target.label.text === label.text)) target = target.parent;
  const aim = ts.isLabeledStatement(target) ? target.statement : target;
  // What goes on with an outer loop has left this one.
  return ts.isBreakStatement(last) ? aim.pos <= loop.pos && aim.end >= loop.end : aim !== loop && aim.pos < loop.pos && aim.end >= loop.end;
}
