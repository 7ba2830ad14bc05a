import type ts from 'typescript';
import { calledFunction } from '../functions/called-function.js';
import type { ReadableFunction } from '../functions/summary.js';
import type { Unit } from '../syntax/unit.js';
import { fromStates, type FromStates } from './from-states.js';
import { stateWord, targetKey } from './step-words.js';
import { transitionTables, type TransitionTable } from './transition-table.js';
import type { Transition } from './transition.js';

/** How a write stands to the table of moves of its target. */
export type TableOfWrite =
  | { readonly kind: 'none' }
  /** The code asks the table before it writes. */
  | { readonly kind: 'asked'; readonly table: TransitionTable; readonly at: ts.Node }
  | { readonly kind: 'open'; readonly table: TransitionTable; readonly missing: 'from' | 'to' }
  | { readonly kind: 'legal'; readonly table: TransitionTable }
  | { readonly kind: 'illegal'; readonly table: TransitionTable; readonly from: string; readonly to: string; readonly source: FromStates };

export function tableOfWrite(transition: Transition): TableOfWrite {
  const { unit, write, gate } = transition;
  if (gate.kind !== 'state' || write.verb === 'delete') return { kind: 'none' };
  const from = fromStates(transition);
  const to = statesWritten(transition);
  const named = [...(from?.states ?? []), ...(to ?? [])].map(stateWord);
  const tables = transitionTables(unit).filter((t) => named.every((s) => t.states.has(s)) && isOf(t, write.target, write.evidence));
  const [table, ...others] = tables;
  // Two tables with the same states: which of them is meant is not known.
  if (table === undefined || others.length > 0) return { kind: 'none' };
  const at = askedBefore(unit, transition, table);
  if (at !== undefined) return { kind: 'asked', table, at };
  if (to === undefined) return named.length === 0 && table.nouns.length === 0 ? { kind: 'none' } : { kind: 'open', table, missing: 'to' };
  if (from === undefined) return { kind: 'open', table, missing: 'from' };
  for (const f of from.states) {
    const moves = to.filter((t) => stateWord(t) !== stateWord(f));
    const [first] = moves;
    // Of several new states each may belong to another old one.
    if (first !== undefined && moves.length === to.length && !moves.some((t) => table.allows(f, t))) return { kind: 'illegal', table, from: f, to: first, source: from };
  }
  return { kind: 'legal', table };
}

function statesWritten({ grade: { to } }: Transition): readonly string[] | undefined {
  return to === 'unknown' || to.some((t) => t.endsWith(' cleared')) ? undefined : to;
}

/** A table that names another thing is not of this row. A guard or store has no noun of its own. */
function isOf({ nouns }: TransitionTable, target: string | undefined, evidence: string): boolean {
  if (nouns.length === 0 || target === undefined) return true;
  const words = targetKey(target).split('_');
  return nouns.some((n) => words.includes(n)) || (evidence === 'name' && /^(?:guard|store|repo|repository|storage|db|transition|state|status)s?$/.test(words.at(-1) ?? ''));
}

/** A look into the table, here or in a function that is called, before the write. */
function askedBefore(unit: Unit, { fn, write }: Transition, table: TransitionTable): ts.Node | undefined {
  const { ts } = unit;
  let found: ts.Node | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined || n.pos >= write.node.pos) return;
    if (ts.isIdentifier(n) && n.text === table.name) found = n;
    else if (ts.isCallExpression(n) && mentionsTable(n)) found = n;
    else ts.forEachChild(n, visit);
  };
  if (!ts.isSourceFile(fn)) visit(fn);
  return found;

  function mentionsTable(call: ts.CallExpression): boolean {
    const called = calledFunction(unit, call);
    return called !== undefined && called.fn !== fn && asks(called, table.name, MOST_CALLS);
  }
}

/** The look-up may stand behind a function that only hands the question on. */
const MOST_CALLS = 2;

function asks({ unit, fn }: ReadableFunction, table: string, depth: number): boolean {
  const { ts } = unit;
  const visit = (n: ts.Node): boolean => {
    if (ts.isIdentifier(n) && n.text === table) return true;
    const called = depth > 0 && ts.isCallExpression(n) ? calledFunction(unit, n) : undefined;
    if (called !== undefined && called.fn !== fn && asks(called, table, depth - 1)) return true;
    return ts.forEachChild(n, (child) => visit(child) || undefined) === true;
  };
  return visit(fn);
}
