import type ts from 'typescript';
import type { ColumnAssignment, StateRead, StateWrite } from '../operations/state-access.js';
import { bare, enclosingFunction, functionName, nameText } from '../syntax/expression.js';
import type { StateTargetModel } from '../models.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';
import { derivesFrom, isPartOf, reaches, sameColumn, within } from './accesses.js';
import { isGuardedElsewhere } from './guards-elsewhere.js';
import { movesLeaseInDocument } from './document-lease.js';
import { declaredStates, statesOfExpression, statesOfTerm } from './states.js';
import { isInFlight, isLifecycleColumn, isLockColumn, isPeoplesWord, isStateColumn, isSwitch, isTelling, isTerminal, isTokenColumn, isVersionColumn, isViewState, lifecycleStem, normalised, nounOf } from './step-words.js';
import { isIgnoredTarget, isInFlightIn, isTerminalIn, isToldColumn, toldTarget } from './told-targets.js';

/** Whether a write is a step-state mutation at all, and by which signals of `durable-writes.md` 9.1. */
export interface Gate {
  readonly score: number;
  readonly signals: readonly string[];
  /** The column that tells the state; undefined for a read-modify-write of other columns. */
  readonly stateColumn: string | undefined;
  readonly kind: 'state' | 'lifecycle' | 'read-modify-write' | undefined;
  /** What the user said of the table. */
  readonly told?: StateTargetModel;
}

export interface GateContext {
  readonly unit: Unit;
  /** Reads in the same function, before the write. */
  readonly reads: readonly StateRead[];
  /** Other writes of the same target in the file. */
  readonly otherWrites: readonly StateWrite[];
  readonly usesLock: boolean;
}

/** The lowest score of a subject. */
export const SUBJECT_SCORE = 5;
/** That of a write which is step state for sure. */
const TOLD_SCORE = 12;
const NO_GATE: Gate = { score: 0, signals: [], stateColumn: undefined, kind: undefined };

/** Scores a write. Below 5 it is no subject. */
export function gateOf(write: StateWrite, context: GateContext): Gate {
  const { unit, reads, otherWrites } = context;
  const told = toldTarget(unit, write.target);
  if (write.verb === 'delete' || isIgnoredTarget(unit, write.target)) return NO_GATE;
  const declared = declaredStates(unit, write.target, write.set.find((a) => isStateColumn(a.column))?.column);
  const what = whatIsWritten(write, context, declared?.column, told);
  if (what.kind === undefined) return { ...NO_GATE, signals: what.lease ? ['lease'] : [] };
  const { kind, column } = what;

  const words = [...statesNamed(unit, write, column), ...reads.flatMap((r) => statesNamed(unit, r, column)), ...otherWrites.flatMap((w) => statesNamed(unit, w, column))];
  // The one declaration of such a column in the file is another's where it does not know what is written here.
  const own = statesNamed(unit, write, column).map(normalised);
  const isIts = own.length === 0 || declared?.states.some((s) => own.includes(normalised(s))) === true;
  const both = [words, isIts ? declared?.states ?? [] : []].some((states) => states.some((s) => isInFlightIn(told, s)) && states.some((s) => isTerminalIn(told, s)));
  const noun = write.target === undefined ? undefined : nounOf(write.target);
  const movesLease = kind === 'read-modify-write' && movesLeaseInDocument(unit, write);
  // Any row has columns that are computed from their old value.
  if (kind === 'read-modify-write' && told === undefined && !both && !movesLease && write.target !== undefined && noun !== 'core' && noun !== 'secondary' && write.verb !== 'persist' && write.loadedBy === undefined) return NO_GATE;
  const readFirst = kind !== 'read-modify-write' && column !== undefined && (readFilters(reads, column) || branchesBefore(unit, write, column));

  const signals: string[] = [];
  let score = 0;
  const add = (signal: string, weight: number, holds: boolean): void => {
    if (!holds) return;
    signals.push(signal);
    score += weight;
  };
  add('S2', 4, both);
  add('S2 one side', 2, !both && words.some(isTelling));
  add('S3', 4, noun === 'core');
  add('S4', 2, noun === 'secondary' && (both || write.evidence !== 'name'));
  add('S6', 3, write.evidence === 'package' || (write.evidence === 'shape' && write.layer === 'sql'));
  add('sink', 2, write.evidence === 'shape' && write.layer !== 'sql');
  add('sink', 2, write.evidence === 'name' && (write.loadedBy !== undefined || write.verb === 'persist'));
  add('S7', 2, write.set.some((a) => a.column !== column && (isTokenColumn(a.column) || isLifecycleColumn(a.column) || isLockColumn(a.column))));
  add('S7 document', 3, movesLease);
  add('S8', 3, readFirst);
  add('mirror', 0, column !== undefined && !readFirst && isMirror(unit, write, column));
  add('CAS', 3, write.where.some((c) => c.op === 'eq' && !c.mayBeAbsent && isVersionColumn(c.column)));
  add('S9', 1, MODULE_WORDS.test(`${unit.path.slice(unit.path.lastIndexOf('/') + 1)} ${functionName(unit, enclosingFunction(unit, write.node))}`));
  add('S10', 2, context.usesLock);
  add('S11', 3, column !== undefined && otherWrites.some((w) => w.where.some((c) => sameColumn(c.column, column) && (c.op === 'eq' || c.op === 'in'))));
  add('V1', -10, column !== undefined && write.set.some((a) => sameColumn(a.column, column) && a.value?.kind === 'const' && typeof a.value.value === 'number'));
  add('V2', -10, unit.path.endsWith('.tsx') || (words.some(isViewState) && !words.some(isTelling)));
  // What people switch on and off.
  add('V6', -5, words.length > 1 && words.every(isSwitch));
  // What people decide of people, offers and texts. No worker takes such a row, so a read before the write makes no step of it.
  add('V5', -10, noun !== 'core' && !both && words.length > 0 && words.every(isPeoplesWord));
  add('V3', -10, NO_RUNTIME.test(unit.path));
  // A pause or an expiry of people's rows is decided on after a read as well.
  add('V5', -5, noun === 'veto' && !both && (!readFirst || kind === 'lifecycle'));
  // Guards of other files make step state surer, and none of what is no step state by itself: a name such as `guard` or `user` is in many files.
  add('S11', 3, score >= SUBJECT_SCORE && !signals.includes('S11') && column !== undefined && isGuardedElsewhere(unit, write.target, column));
  // What the user said counts more than any word; only tests and code that runs by hand stay out.
  const isTold = (told !== undefined || write.told === true) && !NO_RUNTIME.test(unit.path);
  return { score: isTold ? Math.max(score, TOLD_SCORE) : score, signals: isTold ? [...signals, 'told'] : signals, stateColumn: column, kind, ...(told && { told }) };
}

/** Tests, and code that runs by hand and alone. */
const NO_RUNTIME = /\.(?:test|spec|stories)\.|[/\\](?:\w*[mM]igrations?|seeds?|seeders?|seeding|scripts)[/\\]|[/\\]seed[-.][^/\\]*$/;
const MODULE_WORDS = /worker|queue|scheduler|engine|runtime|executor|orchestrat|workflow|saga|agent|job|processor|dispatcher|poller|reaper|recover/i;

interface Written { readonly kind: Gate['kind']; readonly column: string | undefined; readonly lease: boolean }

function whatIsWritten(write: StateWrite, context: GateContext, declaredColumn: string | undefined, told: StateTargetModel | undefined): Written {
  const state = write.set.find((a) => isToldColumn(told, a.column)) ?? write.set.find((a) => isStateColumn(a.column) && !isDocument(context.unit, a));
  if (state !== undefined) return { kind: 'state', column: state.column, lease: false };
  if (write.verb === 'verb' || write.verb === 'transition') return { kind: 'state', column: undefined, lease: false };
  const lease = write.set.some((a) => isLockColumn(a.column));
  // `processed = processed + 1` counts.
  const life = write.set.filter((a) => isLifecycleColumn(a.column) && !isLockColumn(a.column) && a.source !== 'old-value' && !isCopiedTime(context.unit, a));
  const candidates = life.filter((a) => readFilters(context.reads, a.column) || isStem(lifecycleStem(a.column)));
  // Of several, the one that was asked for before.
  const telling = candidates.find((a) => branchesBefore(context.unit, write, a.column)) ?? candidates[0];
  if (telling !== undefined && !lease) return { kind: 'lifecycle', column: telling.column, lease: false };
  if (readModifyWrite(write, context) !== undefined) return { kind: 'read-modify-write', column: declaredColumn, lease: false };
  return { kind: undefined, column: undefined, lease };
}

/** `state: { lastId, cursor }` keeps a document, not the name of a state. */
function isDocument({ ts }: Unit, { node }: ColumnAssignment): boolean {
  return node !== undefined && (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node));
}

/** `sentAt: dateOf(message)`: a time out of what was fetched is a fact about something else; a step's own time comes from the clock. */
function isCopiedTime(unit: Unit, { column, node, source }: ColumnAssignment): boolean {
  const { ts } = unit;
  if (source !== 'code' || node === undefined || !/At$|_at$/.test(column)) return false;
  const isClock = (n: ts.Node): boolean => (ts.isNewExpression(n) && (n.arguments ?? []).length === 0) || (ts.isCallExpression(n) && n.arguments.length === 0 && !ts.isAwaitExpression(n.parent))
    || (ts.isIdentifier(n) && /^now|Now$/.test(n.text));
  // `new Date(entry.publishedAt)`: what somebody else's clock said.
  const read = bare(unit, node);
  if (ts.isNewExpression(read) && read.expression.getText(unit.file) === 'Date' && read.arguments?.length === 1 && !reaches(unit, read.arguments[0] ?? read, isClock)) return !ts.isNumericLiteral(read.arguments[0] ?? read);
  const isFetched = (n: ts.Node): boolean => ts.isAwaitExpression(n) && ts.isCallExpression(n.expression);
  return ts.isIdentifier(node) && reaches(unit, node, isFetched) && !reaches(unit, node, isClock);
}

function isStem(word: string): boolean {
  return isInFlight(word) || isTerminal(word);
}

/** The read whose row a written value is computed from. */
export function readModifyWrite(write: StateWrite, context: Pick<GateContext, 'unit' | 'reads'>): StateRead | undefined {
  const { unit, reads } = context;
  const loaded = reads.find((r) => r.node === write.loadedBy);
  if (loaded !== undefined && write.set.some((a) => stepsItself(unit, a, loaded.node))) return loaded;
  const whole = write.verb === 'persist' && write.setOpen;
  return reads.find((read) => (whole && valuesOf(unit, write.node).some((a) => derivesFrom(unit, a, read.node)))
    || write.set.some((a) => a.source === 'code' && a.node !== undefined && usesColumn(unit, a.node, a.column, read.node)));
}

/** The arguments of a store's call but the first, which is the identity. */
function valuesOf(unit: Unit, node: StateWrite['node']): readonly ts.Expression[] {
  return unit.ts.isCallExpression(node) ? node.arguments.slice(1) : [];
}

/** `job.processed += delta`. */
function stepsItself(unit: Unit, assignment: ColumnAssignment, read: ts.Node): boolean {
  const { ts } = unit;
  const node = assignment.node;
  if (node === undefined) return false;
  const whole = ts.isBinaryExpression(node) ? node : node.parent;
  if (ts.isBinaryExpression(whole) && whole.operatorToken.kind !== ts.SyntaxKind.EqualsToken && whole.operatorToken.kind >= ts.SyntaxKind.FirstAssignment
    && whole.operatorToken.kind <= ts.SyntaxKind.LastAssignment) return true;
  return ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) || usesColumn(unit, node, assignment.column, read);
}

/** The value is computed from the column as the read gave it, not from what was asked elsewhere by means of the row. */
function usesColumn(unit: Unit, node: ts.Expression, column: string, read: ts.Node): boolean {
  const { ts } = unit;
  return reaches(unit, node, (n) => (ts.isPropertyAccessExpression(n) && sameColumn(n.name.text, column) && isPartOf(unit, n.expression, read)) || takesColumn(n), (call) => !isRequest(unit, call));

  /** `const { snapshot } = rows[0]` */
  function takesColumn(n: ts.Node): boolean {
    const d = ts.isIdentifier(n) ? unit.scopes.resolve(n)?.declaration : undefined;
    if (d === undefined || !ts.isBindingElement(d) || !ts.isObjectBindingPattern(d.parent) || !sameColumn(nameText(unit, d.propertyName ?? d.name), column)) return false;
    const from = d.parent.parent;
    return ts.isVariableDeclaration(from) && from.initializer !== undefined && isPartOf(unit, from.initializer, read);
  }
}

/** `await exchange({ token: row.token })`: what another system answers is its own, whatever it was asked with. */
function isRequest({ ts }: Unit, call: ts.CallExpression): boolean {
  return ts.isAwaitExpression(call.parent) && call.arguments.some((a) => ts.isObjectLiteralExpression(a));
}

/** States that an access names for a column: assigned, or in its condition. */
export function statesNamed(unit: Unit, access: StateRead | StateWrite, column: string | undefined): readonly string[] {
  const fits = (name: string): boolean => (column === undefined ? isStateColumn(name) : sameColumn(name, column) && (isStateColumn(name) || isToldColumn(toldTarget(unit, access.target), name)));
  const guarded = access.where.filter((c) => fits(c.column)).flatMap((c) => c.values.flatMap((v) => statesOfTerm(v) ?? []));
  if (access.kind === 'read') return guarded;
  return [...guarded, ...access.set.filter((a) => fits(a.column)).flatMap((a) => assignedStates(unit, a) ?? [])];
}

/** The states one assignment can write; undefined where the code does not show them. */
export function assignedStates(unit: Unit, assignment: ColumnAssignment): readonly string[] | undefined {
  if (assignment.source !== 'code') return undefined;
  return (assignment.value && statesOfTerm(assignment.value)) ?? (assignment.node && statesOfExpression(unit, assignment.node));
}

function readFilters(reads: readonly StateRead[], column: string): boolean {
  return reads.some((r) => r.where.some((c) => sameColumn(c.column, column)));
}

/** Whether the function tests a property of the column's name before it writes. */
function branchesBefore(unit: Unit, write: StateWrite, column: string): boolean {
  const { ts } = unit;
  const name = normalised(column.slice(column.lastIndexOf('.') + 1));
  return testedIn(enclosingFunction(unit, write.node)).some((n) =>
    // What the statement itself computes decides nothing.
    n.pos < write.node.end && !within(n, write.node) && normalised(n.name.text) === name && !sparesTheWrite(unit, n, write, column));

  /** The properties that a function tests. All its writes ask for them. */
  function testedIn(fn: ts.Node): readonly ts.PropertyAccessExpression[] {
    const held = tested.get(fn);
    if (held !== undefined) return held;
    const found: ts.PropertyAccessExpression[] = [];
    const visit = (n: ts.Node): void => {
      if (ts.isPropertyAccessExpression(n) && isTested(n)) found.push(n);
      ts.forEachChild(n, visit);
    };
    visit(fn);
    tested.set(fn, found);
    return found;
  }

  function isTested(node: ts.Expression): boolean {
    for (let n: ts.Node = node; n.parent && !ts.isStatement(n); n = n.parent) {
      const p = n.parent;
      if ((ts.isIfStatement(p) || ts.isSwitchStatement(p) || ts.isWhileStatement(p)) && p.expression === n) return true;
      if (ts.isConditionalExpression(p) && p.condition === n) return true;
    }
    return false;
  }
}

const tested = new Kept<ts.Node, readonly ts.PropertyAccessExpression[]>();

/** `if (row.status !== fresh) await update({ status: fresh })` takes over what was decided elsewhere, and spares a write that would change nothing. */
function sparesTheWrite(unit: Unit, node: ts.Expression, write: StateWrite, column: string): boolean {
  const test = node.parent;
  if (!unit.ts.isBinaryExpression(test) || !/^!==?$/.test(test.operatorToken.getText(unit.file))) return false;
  return [test.left, test.right].some((side) => termOf(unit, side).kind !== 'const' && write.set.some((a) => sameColumn(a.column, column) && a.node?.getText(unit.file) === side.getText(unit.file)));
}

/** The write stands under such a test. */
function isMirror(unit: Unit, write: StateWrite, column: string): boolean {
  const { ts } = unit;
  for (let n: ts.Node = write.node; n.parent && !ts.isFunctionLike(n); n = n.parent) {
    const test = ts.isIfStatement(n.parent) && n.parent.thenStatement === n ? n.parent.expression : undefined;
    if (test !== undefined && ts.isBinaryExpression(test) && [test.left, test.right].some((e) => ts.isPropertyAccessExpression(e) && sameColumn(e.name.text, column) && sparesTheWrite(unit, e, write, column))) return true;
  }
  return false;
}
