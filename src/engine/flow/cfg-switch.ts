import type ts from 'typescript';
import type { OpenEdge } from './cfg-draft.js';
import { landing } from './cfg-jumps.js';
import { withinScope } from './cfg-scopes.js';
import type { Walk } from './cfg-walk.js';

/** For each clause, the edges that enter it by its own test (not by falling through), and the edges that match no clause at all. */
interface Dispatch {
  readonly entries: ReadonlyMap<ts.CaseOrDefaultClause, readonly OpenEdge[]>;
  readonly unmatched: readonly OpenEdge[];
}

/**
 * Adds a switch. A `join` with the statement has one `case` edge for each clause; a switch without a default has a `case` edge without a clause that goes past it.
 * A case expression with nodes of its own starts a further such join behind them. `switch (true)` is a ladder of conditions and has no `case` edges.
 */
export function walkSwitch(walk: Walk, statement: ts.SwitchStatement, labels: readonly string[]): void {
  const { ts, draft, jumps } = walk;
  const isLadder = statement.expression.kind === ts.SyntaxKind.TrueKeyword;
  walk.value(statement.expression);
  const { entries, unmatched } = isLadder ? dispatchByConditions(walk, statement) : dispatchByCases(walk, statement);
  const end = landing('break', labels, true);
  jumps.within(end, () => withinScope(walk, () => {
    for (const clause of statement.caseBlock.clauses) {
      draft.merge(entries.get(clause) ?? []);
      for (const inner of clause.statements) walk.statement(inner);
    }
  }));
  draft.merge(unmatched);
  draft.merge(end.arrived);
}

function dispatchByCases(walk: Walk, statement: ts.SwitchStatement): Dispatch {
  const { ts, draft } = walk;
  const switchOn = statement.expression;
  const entries = new Map<ts.CaseOrDefaultClause, readonly OpenEdge[]>();
  let from = draft.add('join', statement);
  for (const clause of statement.caseBlock.clauses) {
    if (from === undefined || !ts.isCaseClause(clause)) continue;
    const before = draft.open;
    walk.value(clause.expression);
    if (draft.open !== before) from = draft.add('join', statement);
    if (from !== undefined) entries.set(clause, [{ from, label: { kind: 'case', switchOn, caseOf: clause.expression } }]);
  }
  draft.open = [];
  return withDefault(walk, statement, entries, from === undefined ? [] : [{ from, label: { kind: 'case', switchOn } }]);
}

function dispatchByConditions(walk: Walk, statement: ts.SwitchStatement): Dispatch {
  const { ts, draft } = walk;
  const entries = new Map<ts.CaseOrDefaultClause, readonly OpenEdge[]>();
  for (const clause of statement.caseBlock.clauses) {
    if (!ts.isCaseClause(clause)) continue;
    const { whenTrue, whenFalse } = walk.condition(clause.expression);
    entries.set(clause, whenTrue);
    draft.open = whenFalse;
  }
  return withDefault(walk, statement, entries, draft.take());
}

/** A default clause takes what no case took, wherever it stands. */
function withDefault(walk: Walk, statement: ts.SwitchStatement, entries: Map<ts.CaseOrDefaultClause, readonly OpenEdge[]>, rest: readonly OpenEdge[]): Dispatch {
  const fallback = statement.caseBlock.clauses.find(clause => walk.ts.isDefaultClause(clause));
  if (fallback === undefined) return { entries, unmatched: rest };
  return { entries: entries.set(fallback, rest), unmatched: [] };
}
