import type ts from 'typescript';
import { evaluateTarget } from './cfg-assignments.js';
import type { Branches, OpenEdge } from './cfg-draft.js';
import { landing } from './cfg-jumps.js';
import { declare, declareItem, withinScope } from './cfg-scopes.js';
import type { Walk } from './cfg-walk.js';

/** Adds a loop: a `join` as its head, its turns, and a `join` with the `back` edge to the head. Both joins, and the test for the next item, carry the statement. */
export function walkLoop(walk: Walk, loop: ts.IterationStatement, labels: readonly string[]): void {
  const { ts } = walk;
  if (ts.isWhileStatement(loop)) return walkWhile(walk, loop, labels);
  if (ts.isDoStatement(loop)) return walkDo(walk, loop, labels);
  if (ts.isForStatement(loop)) return withinScope(walk, () => walkFor(walk, loop, labels));
  if (ts.isForOfStatement(loop) || ts.isForInStatement(loop)) return walkItems(walk, loop, labels);
  throw new Error(`flow graph: no loop of kind ${ts.SyntaxKind[loop.kind]}`);
}

function walkWhile(walk: Walk, loop: ts.WhileStatement, labels: readonly string[]): void {
  const { draft } = walk;
  const head = draft.add('join', loop);
  const { whenTrue, whenFalse } = walk.condition(loop.expression);
  draft.open = whenTrue;
  const broken = walkTurn(walk, labels, () => walk.statement(loop.statement));
  draft.back(head, loop);
  draft.merge(whenFalse);
  draft.merge(broken);
}

function walkDo(walk: Walk, loop: ts.DoStatement, labels: readonly string[]): void {
  const { draft } = walk;
  const head = draft.add('join', loop);
  const broken = walkTurn(walk, labels, () => walk.statement(loop.statement));
  const { whenTrue, whenFalse } = walk.condition(loop.expression);
  draft.open = whenTrue;
  draft.back(head, loop);
  draft.merge(whenFalse);
  draft.merge(broken);
}

function walkFor(walk: Walk, loop: ts.ForStatement, labels: readonly string[]): void {
  const { ts, draft } = walk;
  if (loop.initializer !== undefined) {
    if (ts.isVariableDeclarationList(loop.initializer)) declare(walk, loop.initializer);
    else walk.value(loop.initializer);
  }
  const head = draft.add('join', loop);
  const { whenTrue, whenFalse }: Branches = loop.condition === undefined ? { whenTrue: draft.take(), whenFalse: [] } : walk.condition(loop.condition);
  draft.open = whenTrue;
  const broken = walkTurn(walk, labels, () => walk.statement(loop.statement));
  if (loop.incrementor !== undefined) walk.value(loop.incrementor);
  draft.back(head, loop);
  draft.merge(whenFalse);
  draft.merge(broken);
}

function walkItems(walk: Walk, loop: ts.ForOfStatement | ts.ForInStatement, labels: readonly string[]): void {
  const { ts, draft, jumps } = walk;
  walk.value(loop.expression);
  const head = draft.add('join', loop);
  if (ts.isForOfStatement(loop) && loop.awaitModifier !== undefined) jumps.raise(draft.add('await', loop));
  const { whenTrue, whenFalse } = draft.test(loop, 'next');
  draft.open = whenTrue;
  const broken = walkTurn(walk, labels, () => withinScope(walk, () => {
    takeItem(walk, loop.initializer);
    walk.statement(loop.statement);
  }));
  draft.back(head, loop);
  draft.merge(whenFalse);
  draft.merge(broken);
}

function takeItem(walk: Walk, item: ts.ForInitializer): void {
  if (walk.ts.isVariableDeclarationList(item)) return declareItem(walk, item);
  evaluateTarget(walk, item);
  walk.draft.add('assign', item);
}

/** One turn. Afterwards the walk stands where the next turn is decided, and the result is the edges that break out of the loop. */
function walkTurn(walk: Walk, labels: readonly string[], turn: () => void): readonly OpenEdge[] {
  const end = landing('break', labels, true);
  const next = landing('continue', labels, true);
  walk.jumps.within(end, () => walk.jumps.within(next, turn));
  walk.draft.merge(next.arrived);
  return end.arrived;
}
