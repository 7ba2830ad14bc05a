import type ts from 'typescript';
import { callersOf, type Callers } from '../functions/callers.js';
import { callTerms } from '../functions/call-terms.js';
import type { AccessNode, StateWrite } from '../operations/state-access.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, wholeValue } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { runsBefore, sameColumn, sameTarget, within } from './accesses.js';
import type { Grade } from './grade.js';
import { isReachedByMiss } from './hit-only.js';
import type { JudgedWrite } from './rivals.js';
import { isStateColumn, stateWord } from './step-words.js';
import { isTerminalIn } from './told-targets.js';
import { Kept } from '../kept.js';

/** A write or a call that leads to one, with the row as the code there names it. */
interface Site {
  readonly node: ts.Node;
  readonly row: Term;
}

interface Claim { readonly at: AccessNode; readonly by: JudgedWrite }

/**
 * A claim of the same row that was won before, in the function or, where it is called from this file alone, in all of its callers; and nothing in the file can take the
 * row out of the claimed state meanwhile.
 */
export function claimBefore(unit: Unit, own: JudgedWrite, others: readonly JudgedWrite[]): AccessNode | undefined {
  // An undo to a state that was read earlier is no outcome of the claimed work.
  if (own.grade.to === 'unknown') return undefined;
  const claims = others.filter((o) => typeof o.grade.grade === 'number' && o.grade.grade >= 4 && rowOf(o.write) !== undefined && !canBeTakenOver(o.write) && takesUp(o.grade));
  const row = rowOf(own.write);
  if (claims.length === 0 || row === undefined) return undefined;
  const found = claimOn(unit, { node: own.write.node, row }, claims, others, 0);
  if (found === undefined || others.some((o) => o !== found.by && takes(unit, o, found.by, claims))) return undefined;
  return found.at;
}

/** A claim, won before, of a row that this one belongs to: `update task where { id, jobId }` after the job was claimed. Who has the job has its tasks. */
export function ownerClaimed(unit: Unit, { write, grade }: JudgedWrite, all: readonly JudgedWrite[]): AccessNode | undefined {
  if (grade.to === 'unknown') return undefined;
  const claims = all.filter((o) => !sameTarget(o.write, write) && typeof o.grade.grade === 'number' && o.grade.grade >= 4 && rowOf(o.write) !== undefined && !canBeTakenOver(o.write) && takesUp(o.grade));
  if (claims.length === 0) return undefined;
  const owners = write.where.flatMap((c) => (c.op === 'eq' && !c.mayBeAbsent && /.(?:id|Id)$/.test(c.column) ? c.values : []));
  for (const row of owners) {
    const found = claimOn(unit, { node: write.node, row }, claims, undefined, 0);
    if (found !== undefined) return found.at;
  }
  return undefined;
}

/** The row is in flight afterwards: a write that ends it leaves nothing to do. */
export function takesUp({ to, told }: Grade): boolean {
  return to === 'unknown' || to.some((t) => !isTerminalIn(told, t));
}

/** A claim that only a time guards, and moves it, is won again by the next worker when that time has passed. */
export function canBeTakenOver({ where, set }: StateWrite): boolean {
  const timed = where.some((c) => (c.op === 'lt' || c.op === 'lte') && set.some((a) => sameColumn(a.column, c.column)));
  return timed && !where.some((c) => !c.mayBeAbsent && (c.op === 'eq' || c.op === 'in') && isStateColumn(c.column));
}

/** Whether a write can hit the claimed row although it belongs to another worker. */
export function takes(unit: Unit, rival: JudgedWrite, claim: JudgedWrite, claims: readonly JudgedWrite[]): boolean {
  if (rival.write.verb === 'delete' || !writesState(rival, claim) || !mayHit(rival.grade, claim.grade)) return false;
  const row = rowOf(rival.write);
  if (enclosingFunction(unit, rival.write.node) === enclosingFunction(unit, claim.write.node)) return false;
  return row === undefined || claimOn(unit, { node: rival.write.node, row }, claims, undefined, 0)?.by !== claim;
}

export function writesState({ write, gate }: JudgedWrite, claim: JudgedWrite): boolean {
  const column = claim.gate.stateColumn;
  return column === undefined || gate.stateColumn === undefined ? gate.kind !== undefined || write.setOpen : sameColumn(column, gate.stateColumn);
}

/** Whether a write accepts the state that the claim left. */
export function mayHit(rival: Grade, claim: Grade): boolean {
  if (rival.from === 'any') return rival.grade !== 5;
  return claim.to === 'unknown' || claim.to.some((t) => rival.from !== 'any' && rival.from.some((f) => stateWord(f) === stateWord(t)));
}

/** The claim that everybody who reaches a site has won. With `ends`, a catch clause whose `try` may already have ended the row is not reached by the claim. */
function claimOn(unit: Unit, site: Site, claims: readonly JudgedWrite[], ends: readonly JudgedWrite[] | undefined, depth: number): Claim | undefined {
  for (const by of claims) {
    const at = claimSites(unit, by).find((c) => runsBefore(unit, c.node, site.node) && isOnTheWay(unit, c.node, site.node) && sameTerm(c.row, site.row) && isHeeded(unit, c.node, by)
      && !(c.node === by.write.node && isReachedByMiss(unit, by.write, site.node)));
    if (at !== undefined && !(ends !== undefined && isSpoiled(unit, site.node, at.node, ends))) return { at: at.node, by };
  }
  const fn = enclosingFunction(unit, site.node);
  if (unit.ts.isSourceFile(fn) || depth > 2) return undefined;
  const { calls, exported, passedOn } = callers(unit, fn);
  if (exported || passedOn || calls.length === 0 || calls.length > 12) return undefined;
  const found = calls.map((node) => {
    const row = callTerms(unit, node, { unit, fn })?.inCaller(site.row);
    return row && claimOn(unit, { node, row }, claims, ends, depth + 1);
  });
  const [first] = found;
  return found.every((f) => f !== undefined && f.by === first?.by) ? first : undefined;
}

interface CallSite extends Site { readonly node: AccessNode }

/** The claim itself and the calls of the function it stands in, or of one that returns what such a call answers. */
function claimSites(unit: Unit, claim: JudgedWrite): readonly CallSite[] {
  const row = rowOf(claim.write);
  if (row === undefined) return [];
  const first: CallSite = { node: claim.write.node, row };
  return [first, ...callsAround(unit, first, 0)];
}

function callsAround(unit: Unit, site: CallSite, depth: number): readonly CallSite[] {
  const fn = enclosingFunction(unit, site.node);
  if (unit.ts.isSourceFile(fn) || depth > 2) return [];
  return callers(unit, fn).calls.flatMap((node) => {
    const row = callTerms(unit, node, { unit, fn })?.inCaller(site.row);
    if (row === undefined) return [];
    const around: CallSite = { node, row };
    return unit.ts.isReturnStatement(wholeValue(unit, node).parent) ? [around, ...callsAround(unit, around, depth + 1)] : [around];
  });
}

/** No branch, round of a loop or handler that holds the claim leaves the site out. */
export function isOnTheWay(unit: Unit, claim: ts.Node, site: ts.Node): boolean {
  const { ts } = unit;
  for (let n: ts.Node = claim; !ts.isSourceFile(n) && !ts.isFunctionLike(n); n = n.parent) {
    const p = n.parent;
    const branch = (ts.isIfStatement(p) && p.expression !== n) || (ts.isConditionalExpression(p) && p.condition !== n) || ts.isCaseOrDefaultClause(p) || ts.isCatchClause(p)
      || (ts.isIterationStatement(p, false) && p.statement === n);
    if (branch && !within(site, n)) return false;
  }
  return true;
}

/** Somebody looks at what the claim answers. */
function isHeeded(unit: Unit, node: AccessNode, { write }: JudgedWrite): boolean {
  const whole = wholeValue(unit, node);
  return !unit.ts.isExpressionStatement(whole.parent) || (node === write.node && write.result.throwsWhenLost);
}

/** The site is in a catch clause, and the `try` of it holds the claim or a write that ends the row: the error may come after it. */
function isSpoiled(unit: Unit, site: ts.Node, claim: ts.Node, ends: readonly JudgedWrite[]): boolean {
  const body = caughtBy(unit, site);
  return body !== undefined && (within(claim, body) || holdsEnd(unit, body, ends));
}

/** Whether a block ends a row, by a write or by a call of a function that does. */
export function holdsEnd(unit: Unit, block: ts.Node, writes: readonly JudgedWrite[]): boolean {
  return writes.some(({ write, grade: { to, told } }) => {
    if (to === 'unknown' || !to.some((t) => isTerminalIn(told, t))) return false;
    const fn = enclosingFunction(unit, write.node);
    return within(write.node, block) || (!unit.ts.isSourceFile(fn) && callers(unit, fn).calls.some((c) => within(c, block)));
  });
}

/** The `try` block whose errors a node is run for. */
export function caughtBy(unit: Unit, node: ts.Node): ts.Block | undefined {
  const fn = enclosingFunction(unit, node);
  for (let n = node.parent; n !== fn && n; n = n.parent) if (unit.ts.isCatchClause(n)) return n.parent.tryBlock;
  return undefined;
}

/** The term that a write knows its row by. */
export function rowOf(write: StateWrite): Term | undefined {
  return write.where.find((c) => c.op === 'eq' && /id$/i.test(c.column))?.values[0];
}

const known = new Kept<ts.Node, Callers>();

/** As `callersOf`, asked once a function. */
export function callers(unit: Unit, fn: ts.FunctionLikeDeclaration): Callers {
  const held = known.get(fn);
  if (held !== undefined) return held;
  const found = callersOf(unit, fn);
  known.set(fn, found);
  return found;
}
