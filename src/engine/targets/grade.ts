import type { ColumnCondition, StateRead, StateWrite } from '../operations/state-access.js';
import type ts from 'typescript';
import { bare, followed } from '../syntax/expression.js';
import type { StateTargetModel } from '../models.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { quotedCode } from '../syntax/shown-code.js';
import type { Unit } from '../syntax/unit.js';
import { sameColumn } from './accesses.js';
import { assignedStates, statesNamed, type Gate } from './gate.js';
import { declaredStates, statesOfTerm } from './states.js';
import { isLifecycleColumn, isLockColumn, isStateColumn, isTokenColumn, lifecycleStem, stateWord } from './step-words.js';
import { isTerminalIn } from './told-targets.js';

/** How strongly a write's condition guards it: `durable-writes.md` 1. */
export interface Grade {
  readonly grade: 0 | 1 | 2 | 3 | 4 | 5 | 'unknown';
  readonly from: readonly string[] | 'any';
  readonly to: readonly string[] | 'unknown';
  /** No final state in sight passes the condition, apart from the written one. */
  readonly excludesTerminal: boolean | 'unknown';
  /** The written state does not pass the condition: a second, equal write misses. */
  readonly excludesTo: boolean | 'unknown';
  /** For people: what the condition compares. */
  readonly evidence: string;
  /** What the user said of the table's states. */
  readonly told?: StateTargetModel;
}

export interface GradeContext {
  readonly unit: Unit;
  readonly reads: readonly StateRead[];
  readonly otherWrites: readonly StateWrite[];
}

/** How strongly the condition of a write guards it. */
export function gradeOf(write: StateWrite, gate: Gate, context: GradeContext): Grade {
  const grade = read(write, gate, context);
  return gate.told === undefined ? grade : { ...grade, told: gate.told };
}

function read(write: StateWrite, gate: Gate, context: GradeContext): Grade {
  const to = statesWritten(context.unit, write, gate);
  const base = { from: 'any', to } as const;
  if (write.verb === 'transition') return { ...base, grade: 5, excludesTerminal: true, excludesTo: true, evidence: 'a guarded transition' };
  const always = write.where.filter((c) => !c.mayBeAbsent);

  const token = always.find((c) => c.op === 'eq' && isTokenColumn(c.column));
  const states = gate.stateColumn !== undefined && gate.kind !== 'lifecycle' ? always.filter((c) => gate.stateColumn !== undefined && sameColumn(c.column, gate.stateColumn)) : always.filter((c) => isStateColumn(c.column));
  const guard = stateGuard(context, write, gate, states, to);
  if (token !== undefined) return { ...base, ...guard, grade: 5, excludesTerminal: true, excludesTo: true, evidence: `${token.column} is compared` };
  if (guard.grade === 4) return guard;
  const moved = movedColumn(write, always);
  if (moved !== undefined) return { ...guard, grade: 4, excludesTerminal: true, excludesTo: true, evidence: `${moved} is compared and moved` };
  if (write.locksRows) return { ...guard, grade: 4, excludesTerminal: true, excludesTo: true, evidence: 'the statement locks the rows it chooses' };
  if (guard.grade !== 0) return guard;
  const flag = gate.kind === 'lifecycle' ? always.find(isFlag) : undefined;
  if (flag !== undefined) return { ...base, grade: 'unknown', excludesTerminal: 'unknown', excludesTo: 'unknown', evidence: `${flag.column} is compared, and who sets it is not in sight` };
  if (write.whereOpen || write.where.some((c) => c.mayBeAbsent && isGuardColumn(c.column))) {
    return { ...base, grade: 'unknown', excludesTerminal: 'unknown', excludesTo: 'unknown', evidence: 'a part of the condition cannot be followed' };
  }
  if (write.verb === 'verb') return { ...base, grade: 'unknown', excludesTerminal: 'unknown', excludesTo: 'unknown', evidence: `${write.method} may guard inside` };
  const grade = always.length > 1 ? 2 : write.result.throwsWhenLost || write.result.label === 'count' ? 1 : 0;
  return { ...base, grade, excludesTerminal: false, excludesTo: false, evidence: always.length > 0 ? chosenBy(always.map((c) => c.column)) : write.verb === 'upsert' ? 'only its unique key chooses the row' : write.where.length > 0 ? 'no condition names the state it expects' : 'no condition chooses the row' };
}

function chosenBy([first = '', ...others]: readonly string[]): string {
  const only = `only ${quotedCode(first, 18)}`;
  return others.length === 0 ? `${only} chooses the row` : `${only} and ${others.length} more choose the row`;
}

/** `isRunning: true` beside a time that is written. */
function isFlag({ column, op, values: [value] }: ColumnCondition): boolean {
  return op === 'eq' && /^(?:is|has|was)(?:[A-Z]|_)/.test(column) && value?.kind === 'const' && typeof value.value === 'boolean';
}

function isGuardColumn(column: string): boolean {
  return isStateColumn(column) || isTokenColumn(column) || isLifecycleColumn(column) || isLockColumn(column);
}

function stateGuard(context: GradeContext, write: StateWrite, gate: Gate, conditions: readonly ColumnCondition[], to: Grade['to']): Grade {
  const none: Grade = { grade: 0, from: 'any', to, excludesTerminal: false, excludesTo: false, evidence: '' };
  if (gate.kind === 'lifecycle') return besideState(none, conditions, gate);
  const positive = conditions.filter((c) => c.op === 'eq' || c.op === 'in');
  const negative = conditions.filter((c) => c.op === 'ne' || c.op === 'not-in');
  if (positive.length > 0) {
    const lists = positive.map((c) => joined(c));
    const from = lists.find((l) => l !== undefined);
    const evidence = `${positive[0]?.column ?? ''} is compared with the expected state`;
    if (from === undefined) return { ...none, ...unreadFrom(write, positive), evidence };
    const accepted = from.map(stateWord);
    const holdsTo = to !== 'unknown' && to.some((t) => accepted.includes(stateWord(t)));
    return { grade: holdsTo ? 3 : 4, from, to, excludesTerminal: !from.some((s) => isTerminalIn(gate.told, s) && !isWritten(s, to)), excludesTo: to === 'unknown' ? 'unknown' : !holdsTo, evidence };
  }
  if (negative.length > 0) {
    const evidence = `only some states of ${negative[0]?.column ?? ''} are excluded`;
    const lists = negative.map((c) => joined(c));
    if (lists.some((l) => l === undefined)) return { ...none, grade: 3, excludesTerminal: 'unknown', excludesTo: 'unknown', evidence };
    const excluded = new Set(lists.flatMap((l) => l ?? []).map(stateWord));
    const seen = finalStates(context, write, gate).filter((s) => !isWritten(s, to));
    const excludesTo = to === 'unknown' ? 'unknown' : to.every((t) => excluded.has(stateWord(t)));
    const isWhole = seen.every((s) => excluded.has(s));
    // Who lists several states has thought of what may be overwritten, and may mean to overwrite the rest.
    return { grade: 3, from: 'any', to, excludesTerminal: isWhole || excluded.size < 2 ? isWhole : 'unknown', excludesTo, evidence };
  }
  const open = conditions.some((c) => c.op === 'other');
  return open ? { ...none, grade: 'unknown', excludesTerminal: 'unknown', excludesTo: 'unknown', evidence: 'the state is compared in a way that is not understood' } : none;
}

/** A time is written while another column tells the state: that state stays, so an equal second write hits too. */
function besideState(none: Grade, conditions: readonly ColumnCondition[], { told }: Gate): Grade {
  const state = conditions.find((c) => c.op === 'eq' || c.op === 'in');
  const from = state && joined(state);
  if (state === undefined || from === undefined) return none;
  return { ...none, grade: 3, from, excludesTerminal: !from.some((s) => isTerminalIn(told, s)), excludesTo: false, evidence: `${state.column} is compared with the expected state` };
}

function isWritten(state: string, to: Grade['to']): boolean {
  return to !== 'unknown' && to.some((t) => stateWord(t) === stateWord(state));
}

/** An expected state handed over as one value is a swap; a list that cannot be read may hold the new state too. */
function unreadFrom(write: StateWrite, positive: readonly ColumnCondition[]): Partial<Grade> {
  const one = positive.find((c) => c.op === 'eq');
  const value = one?.values[0];
  const same = one !== undefined && value !== undefined && write.set.some((a) => sameColumn(a.column, one.column) && a.value !== undefined && sameTerm(a.value, value));
  return one !== undefined && !same ? { grade: 4, excludesTerminal: 'unknown', excludesTo: 'unknown' } : { grade: 'unknown', excludesTerminal: 'unknown', excludesTo: 'unknown' };
}

function joined(condition: ColumnCondition): readonly string[] | undefined {
  const lists = condition.values.map(statesOfTerm);
  return lists.length === 0 || lists.some((l) => l === undefined) ? undefined : lists.flatMap((l) => l ?? []);
}

/** Every final state that the file names for the target, normalised. */
function finalStates({ unit, reads, otherWrites }: GradeContext, write: StateWrite, gate: Gate): readonly string[] {
  const declared = declaredStates(unit, write.target, gate.stateColumn)?.states ?? [];
  const named = [write, ...reads, ...otherWrites].flatMap((a) => statesNamed(unit, a, gate.stateColumn));
  return [...new Set([...declared, ...named].filter((s) => isTerminalIn(gate.told, s)).map(stateWord))];
}

/** A compared column that the same write changes, so that an equal second write misses: `done_at IS NULL`, `locked_until < now()`, `hold = 'funded'`. */
function movedColumn(write: StateWrite, always: readonly ColumnCondition[]): string | undefined {
  const sets = (c: ColumnCondition): boolean => write.set.some((a) => sameColumn(a.column, c.column) && !(a.value !== undefined && c.values.some((v) => a.value !== undefined && sameTerm(a.value, v))));
  const plain = always.find((c) => sets(c) && (MOVES.has(c.op) || (c.op === 'eq' && !isStateColumn(c.column) && c.values.length > 0)));
  // `claimed_until IS NULL OR claimed_until < now()`: either way the write moves what it compared.
  const either = write.where.filter((c) => c.mayBeAbsent);
  const all = either.length > 1 && !write.whereOpen && either.every((c) => sets(c) && MOVES.has(c.op) && !isStateColumn(c.column));
  return plain?.column ?? (all ? either[0]?.column : undefined);
}

const MOVES = new Set<ColumnCondition['op']>(['is-null', 'lt', 'lte']);

/** The states a write can leave behind. */
function statesWritten(unit: Unit, write: StateWrite, gate: Gate): Grade['to'] {
  const { kind, stateColumn } = gate;
  const assigned = stateColumn === undefined ? [] : write.set.filter((a) => sameColumn(a.column, stateColumn));
  if (kind === 'lifecycle' && stateColumn !== undefined) {
    const cleared = assigned.some((a) => a.value?.kind === 'const' && (a.value.value === null || a.value.value === false));
    if (assigned.some((a) => a.node !== undefined && mayBeNothing(unit, a.node))) return 'unknown';
    return cleared ? [`${lifecycleStem(stateColumn)} cleared`] : [lifecycleStem(stateColumn)];
  }
  const lists = assigned.map((a) => assignedStates(unit, a));
  return lists.length === 0 || lists.some((l) => l === undefined) ? 'unknown' : [...new Set(lists.flatMap((l) => l ?? []))];
}

/** `props.failedAt || null`, `done ? now : null`: set or cleared, as it comes. */
function mayBeNothing(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  const e = followed(unit, node);
  const isNothing = (x: ts.Expression): boolean => bare(unit, x).kind === ts.SyntaxKind.NullKeyword;
  if (ts.isConditionalExpression(e)) return isNothing(e.whenTrue) !== isNothing(e.whenFalse);
  return ts.isBinaryExpression(e) && /^(?:\|\||\?\?)$/.test(e.operatorToken.getText(unit.file)) && isNothing(e.right);
}
