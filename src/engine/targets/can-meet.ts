import type ts from 'typescript';
import type { ColumnAssignment, StateRead, StateWrite } from '../operations/state-access.js';
import { bare, enclosingFunction, followed } from '../syntax/expression.js';
import { leaves, plainStatements } from '../syntax/plain-statements.js';
import type { Unit } from '../syntax/unit.js';
import { sameColumn } from './accesses.js';
import type { Gate } from './gate.js';
import { statesOfExpression, statesOfTerm } from './states.js';
import { stateWord } from './step-words.js';
import { Kept, KeptByName } from '../kept.js';

/** The states that a row is known to be in when a write comes to it: by the filter of the read that chose it, or by a test that everybody else leaves at. Undefined: any. */
export function statesExpected(unit: Unit, write: StateWrite, { stateColumn }: Gate, reads: readonly StateRead[]): readonly string[] | undefined {
  if (stateColumn === undefined) return undefined;
  let byColumn = known.get(write);
  if (byColumn === undefined) {
    byColumn = new KeptByName();
    known.set(write, byColumn);
  }
  let tested = byColumn.get(stateColumn);
  if (tested === undefined) {
    tested = statesTested(unit, write, stateColumn);
    byColumn.set(stateColumn, tested);
  }
  if (tested.length > 0) return tested;
  const filters = reads.at(-1)?.where.filter((c) => !c.mayBeAbsent && (c.op === 'eq' || c.op === 'in') && sameColumn(c.column, stateColumn)) ?? [];
  const states = filters.map((c) => c.values.map(statesOfTerm));
  return states.length === 0 || states.flat().some((s) => s === undefined) ? undefined : states.flat().flatMap((s) => s ?? []);
}

/** Asked for each pair of writers. */
const known = new Kept<StateWrite, KeptByName<string, readonly string[]>>();

/** Whether a writer that accepts these states can hit a row that is in one of those. */
export function accepts(from: readonly string[] | 'any', expected: readonly string[] | undefined): boolean {
  if (from === 'any' || expected === undefined) return true;
  const words = expected.map(stateWord);
  return from.some((s) => words.includes(stateWord(s)));
}

/** The states that a write's condition shuts out by name: `status <> 'done'`, `status NOT IN (..)`. Empty: none that can be read. */
export function statesShutOut({ where }: StateWrite, { stateColumn }: Gate): readonly string[] {
  const conditions = stateColumn === undefined ? [] : where.filter((c) => !c.mayBeAbsent && (c.op === 'ne' || c.op === 'not-in') && sameColumn(c.column, stateColumn));
  return conditions.flatMap((c) => c.values).flatMap((v) => statesOfTerm(v) ?? []);
}

/** Whether all of some states are among those that are shut out. */
export function areShutOut(states: readonly string[], shut: readonly string[]): boolean {
  const words = shut.map(stateWord);
  return states.length > 0 && states.every((s) => words.includes(stateWord(s)));
}

/** Whether a rival's write takes the row out of sight of another one: it moves a column that the other one compares (an owner, a pointer, a version). */
export function movesAway(rival: StateWrite, own: StateWrite, { stateColumn }: Gate): boolean {
  if (rival.verb !== 'update') return false;
  return own.where.some((c) => !c.mayBeAbsent && (c.op === 'eq' || c.op === 'in') && !/^_?id$/i.test(c.column) && !(stateColumn !== undefined && sameColumn(c.column, stateColumn))
    && rival.set.some((a) => sameColumn(a.column, c.column)) && !own.set.some((a) => sameColumn(a.column, c.column)));
}

/** Whether two writes have a column in common; what cannot be seen may be one. */
export function shareColumn(a: StateWrite, b: StateWrite): boolean {
  const isOpen = (w: StateWrite): boolean => w.setOpen || w.set.length === 0;
  return isOpen(a) || isOpen(b) || a.set.some((x: ColumnAssignment) => b.set.some((y) => sameColumn(x.column, y.column)));
}

/** The states of `if (row.status === 'a') { .. the write .. }`, of `if (row.status !== 'a' && row.status !== 'b') return` and of `if (!['a', 'b'].includes(row.status)) throw`, before the write and on its way. */
function statesTested(unit: Unit, write: StateWrite, column: string): readonly string[] {
  const { ts } = unit;
  const fn = enclosingFunction(unit, write.node);
  let found: readonly string[] = [];
  for (let n: ts.Node = write.node; n !== fn && n.parent; n = n.parent) {
    const block = n.parent;
    if (ts.isIfStatement(block) && block.thenStatement === n && found.length === 0) found = named(block.expression);
    if (!ts.isBlock(block)) continue;
    for (const s of plainStatements(unit, block.statements)) {
      if (s.pos >= n.pos) break;
      if (ts.isIfStatement(s) && leaves(unit, s.thenStatement) && s.elseStatement === undefined) found = found.length > 0 ? found : allowed(s.expression);
    }
  }
  return found;

  /** The states that go on past a test which leaves for all others. */
  function allowed(test: ts.Expression): readonly string[] {
    const e = bare(unit, test);
    if (ts.isBinaryExpression(e) && e.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken) {
      const [a, b] = [allowed(e.left), allowed(e.right)];
      return a.length > 0 && b.length > 0 ? [...a, ...b] : [];
    }
    if (ts.isBinaryExpression(e) && [ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken].includes(e.operatorToken.kind)) return isColumn(e.left) ? statesOfExpression(unit, e.right) ?? [] : [];
    if (!ts.isPrefixUnaryExpression(e) || e.operator !== ts.SyntaxKind.ExclamationToken) return [];
    const call = bare(unit, e.operand);
    return ts.isCallExpression(call) ? listed(call) : [];
  }

  /** `['a', 'b'].includes(row.status)` */
  function listed(call: ts.CallExpression): readonly string[] {
    if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'includes') return [];
    const [asked] = call.arguments;
    const list = bare(unit, call.expression.expression);
    if (asked === undefined || !isColumn(asked) || !ts.isArrayLiteralExpression(list)) return [];
    const states = list.elements.map((x) => statesOfExpression(unit, x));
    return states.some((s) => s === undefined) ? [] : states.flatMap((s) => s ?? []);
  }

  /** The states that lead into a branch: `row.status === 'a'`, `['a', 'b'].includes(row.status)`, or a name for such a test. */
  function named(test: ts.Expression): readonly string[] {
    const e = followed(unit, test);
    if (ts.isBinaryExpression(e)) {
      const op = e.operatorToken.kind;
      if (op === ts.SyntaxKind.AmpersandAmpersandToken) return [named(e.left), named(e.right)].find((s) => s.length > 0) ?? [];
      if (op === ts.SyntaxKind.BarBarToken) return [named(e.left), named(e.right)].every((s) => s.length > 0) ? [...named(e.left), ...named(e.right)] : [];
      return (op === ts.SyntaxKind.EqualsEqualsEqualsToken || op === ts.SyntaxKind.EqualsEqualsToken) && isColumn(e.left) ? statesOfExpression(unit, e.right) ?? [] : [];
    }
    return ts.isCallExpression(e) ? listed(e) : [];
  }

  function isColumn(node: ts.Expression): boolean {
    const e = bare(unit, node);
    return ts.isPropertyAccessExpression(e) && sameColumn(e.name.text, column);
  }
}
