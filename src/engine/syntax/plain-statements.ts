import type ts from 'typescript';
import type { Unit } from './unit.js';

/** The statements of a block as they run, those of blocks that are no branch among them: `{ if (done) return; }`. */
export function plainStatements(unit: Unit, statements: readonly ts.Statement[]): readonly ts.Statement[] {
  const { ts } = unit;
  return statements.flatMap((s) => (ts.isBlock(s) ? plainStatements(unit, s.statements) : [s]));
}

/** Whether a statement, or the last one of a block, leaves: what follows does not run after it. */
export function leaves(unit: Unit, statement: ts.Statement): boolean {
  const { ts } = unit;
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  if (last !== undefined && ts.isBlock(last)) return leaves(unit, last);
  return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last) || ts.isBreakStatement(last));
}
