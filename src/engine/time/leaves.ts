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
