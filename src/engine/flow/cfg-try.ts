import type ts from 'typescript';
import { evaluateBinding } from './cfg-assignments.js';
import { landing } from './cfg-jumps.js';
import type { Walk } from './cfg-walk.js';

/** Adds a try statement. Its finally block is copied for each way out that is taken; each copy starts with a `join` that names the way out. */
export function walkTry(walk: Walk, statement: ts.TryStatement): void {
  const { draft, jumps } = walk;
  const { catchClause, finallyBlock } = statement;
  const { depth } = jumps;
  if (finallyBlock !== undefined) {
    jumps.openCleanup(onExit => {
      draft.add('join', finallyBlock, { onExit });
      walk.block(finallyBlock.statements);
    });
  }
  if (catchClause === undefined) walk.block(statement.tryBlock.statements);
  else walkCaught(walk, statement, catchClause);
  jumps.closeCleanupsAbove(depth);
}

function walkCaught(walk: Walk, statement: ts.TryStatement, clause: ts.CatchClause): void {
  const { draft, jumps } = walk;
  const start = draft.add('join', statement);
  const caught = landing('throw');
  jumps.within(caught, () => {
    walk.block(statement.tryBlock.statements);
    // Its author expects an exception: when no node is known to throw, any of the plain steps may (a getter, a null), and the clause must not look dead.
    if (caught.arrived.length === 0) jumps.raise(start);
  });
  const completed = draft.take();
  draft.open = caught.arrived;
  draft.add('catch', clause);
  if (clause.variableDeclaration !== undefined) evaluateBinding(walk, clause.variableDeclaration.name);
  walk.block(clause.block.statements);
  draft.merge(completed);
}
