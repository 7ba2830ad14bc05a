import type ts from 'typescript';
import type { AccessNode, StateAccess, StateRead, StateWrite } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { hasIdentity } from '../operations/row-identity.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { runsBefore, sameColumn, sameTarget } from './accesses.js';
import { caughtBy, isOnTheWay } from './claimed-before.js';
import { gateOf, readModifyWrite, SUBJECT_SCORE, type Gate } from './gate.js';
import type { Grade } from './grade.js';
import { returnsRow, workAfter } from './own-work.js';
import { protectedElsewhere, writesOwnRow, type Foreign } from './foreign.js';
import { statesExpected } from './can-meet.js';
import { choosesGroup, listsThem } from './group-ids.js';
import { isPlainEdit } from './plain-edit.js';
import { gradeIn, protectionOf, type Protection } from './protection.js';
import { comesFromOutside, endsOtherwise, isStoreMethod, rivalOf } from './rivals.js';
import { staleRetry } from './stale-retry.js';
import { isStateColumn, isStopping, isTokenColumn, isWaiting, stateWord } from './step-words.js';
import { isInFlightIn, isTerminalIn } from './told-targets.js';

/** A durable write to step state, with all that tells how well it is guarded. */
export interface Transition {
  readonly write: StateWrite;
  readonly unit: Unit;
  readonly gate: Gate;
  readonly grade: Grade;
  /** `claim`: own work follows. `finish`: a final state is written. Else `progress`. */
  readonly kind: 'claim' | 'finish' | 'progress';
  /** Reads of the same target before it, in its function. */
  readonly reads: readonly StateRead[];
  readonly protectedBy?: Protection;
  /** Another function's write of the same target. */
  readonly secondWriter?: StateWrite;
  /** The second writer leaves a final state that this write undoes, and the two can meet: the row was read before, or one of them is decided outside of the work. */
  readonly overwritesFinal: boolean;
  /** The read whose row decides what is written. */
  readonly readBefore?: StateRead;
  /** A later read of the rows by a token that only this write set: it tells the hit rows without the answer. */
  readonly reread?: StateRead;
  /** The function the write stands in, where this is a call of it. */
  readonly through?: string;
  /** It is tried again in a loop with values of the row as it was before the first try. */
  readonly staleRetry?: AccessNode;
  /** The work that follows in the function. */
  readonly work?: ts.CallExpression;
  /** A later read chooses rows by the very values that the write set, which other workers set too. */
  readonly takesForHits: boolean;
  /** Chooses rows by their state alone, as a sweep does: no single row's work hangs on the hit. */
  readonly sweeps: boolean;
  /** Chooses rows by ids of other things alone. */
  readonly choosesGroup: boolean;
  /** The row was made in the same function, or row or transaction were handed over by callers: what keeps rivals out stands elsewhere. */
  readonly foreign?: Foreign;
  /** Stores what somebody filled in, the state among it. */
  readonly isEdit: boolean;
  /** It runs only for an error, in a catch clause. */
  readonly onError: boolean;
  /** Function it stands in. */
  readonly fn: ts.FunctionLikeDeclaration | ts.SourceFile;
}

type Fn = Transition['fn'];

/** The transitions among a file's accesses. */
export function transitionsOf(unit: Unit, accesses: readonly StateAccess[], usesLock: (fn: Fn) => boolean): Transition[] {
  const writes = accesses.filter((a): a is StateWrite => a.kind === 'write');
  const reads = accesses.filter((a): a is StateRead => a.kind === 'read');
  const judged = writes.map((write) => {
    const before = reads.filter((r) => runsBefore(unit, r.node, write.node) && (r.node === write.loadedBy || sameTarget(r, write)));
    const others = writes.filter((w) => w !== write && sameTarget(w, write));
    const gate = gateOf(write, { unit, reads: before, otherWrites: others, usesLock: usesLock(enclosingFunction(unit, write.node)) });
    return { write, gate, before, others, grade: gradeIn(unit, write, gate, before, others) };
  });
  return judged.filter(({ gate }) => gate.kind !== undefined && gate.score >= SUBJECT_SCORE).map(({ write, gate, before, others, grade }): Transition => {
    const fn = enclosingFunction(unit, write.node);
    const rivals = judged.filter((j) => others.includes(j.write));
    const protectedBy = protectionOf(write, gate, grade, { unit, accesses, reads: before, rivals });
    const rival = rivalOf(unit, { write, gate, grade }, rivals, statesExpected(unit, write, gate, before), (r) => writesOwnRow(unit, r.write, rivals));
    const secondWriter = rival?.write;
    const foreign = protectedElsewhere(unit, { write, gate, grade }, rivals, before);
    const readBefore = readModifyWrite(write, { unit, reads: before }) ?? before.findLast((r) => isOnTheWay(unit, r.node, write.node));
    const work = workAfter(unit, write, accesses);
    const reread = rereadByToken(unit, write, reads);
    const stale = staleRetry(unit, write);
    const onError = caughtBy(unit, write.node) !== undefined;
    const meets = rival !== undefined && (readBefore !== undefined || (comesFromOutside(rival.grade, grade) && !isStoreMethod(unit, write)));
    const overwritesFinal = rival !== undefined && meets && !onError && endsOtherwise(rival.grade, grade);
    return {
      write, unit, gate, grade, kind: kindOf(unit, write, grade, work), reads: before, fn, overwritesFinal, onError, isEdit: isPlainEdit(unit, write, gate.stateColumn), takesForHits: rereadByFlag(unit, write, reads), choosesGroup: choosesGroup(write.where, write.target) || before.some((r) => listsThem(r, write)), sweeps: write.verb === 'update' && !write.whereOpen && !write.locksRows && !hasIdentity(write.where),
      ...(protectedBy && { protectedBy }), ...(secondWriter && { secondWriter }), ...(foreign && { foreign }), ...(readBefore && { readBefore }), ...(reread && { reread }), ...(stale && { staleRetry: stale }), ...(work && { work }),
    };
  });
}

function kindOf(unit: Unit, write: StateWrite, { to, told }: Grade, work: ts.CallExpression | undefined): Transition['kind'] {
  if (to === 'unknown') return 'progress';
  if (to.some((t) => isTerminalIn(told, t))) return 'finish';
  const takes = to.some((t) => isInFlightIn(told, t) && !isWaiting(t) && !isStopping(t)) && caughtBy(unit, write.node) === undefined;
  return takes && (work !== undefined || (returnsRow(unit, write) && !to.every((t) => STANDS.test(stateWord(t))))) ? 'claim' : 'progress';
}

/** A plan or a monitor is in such a state for good: nobody works on it because of that. */
const STANDS = /^(?:active|enabled)$/;

/** What tells the row of a write from others: the values of its equalities, the state's own left aside. */
export function identityOf(write: StateWrite): readonly Term[] {
  return write.where.filter((c) => c.op === 'eq' && !isStateColumn(c.column) && !isTokenColumn(c.column)).flatMap((c) => c.values);
}

function rereadByFlag(unit: Unit, write: StateWrite, reads: readonly StateRead[]): boolean {
  return reads.some((read) => sameTarget(read, write) && runsBefore(unit, write.node, read.node) && enclosingFunction(unit, read.node) === enclosingFunction(unit, write.node)
    && read.where.some((c) => c.op === 'eq' && write.set.some((a) => sameColumn(a.column, c.column) && a.value !== undefined && c.values.some((v) => a.value !== undefined && sameTerm(a.value, v)))));
}

function rereadByToken(unit: Unit, write: StateWrite, reads: readonly StateRead[]): StateRead | undefined {
  const tokens = write.set.filter((a) => isTokenColumn(a.column) && a.value !== undefined && a.value.kind !== 'const');
  return reads.find((read) => sameTarget(read, write) && runsBefore(unit, write.node, read.node)
    && read.where.some((c) => c.op === 'eq' && !c.mayBeAbsent && tokens.some((t) => sameColumn(t.column, c.column) && t.value !== undefined && c.values.some((v) => t.value !== undefined && sameTerm(t.value, v)))));
}
