import type ts from 'typescript';
import type { StateAccess, StateRead, StateWrite } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { runsBefore, sameColumn, sameTarget } from './accesses.js';
import { gateOf, readModifyWrite, type Gate } from './gate.js';
import type { Grade } from './grade.js';
import { returnsRow, workAfter } from './own-work.js';
import { gradeIn, protectionOf, type Protection } from './protection.js';
import { isInFlight, isTerminal, isTokenColumn } from './step-words.js';

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
  /** The read whose row decides what is written. */
  readonly readBefore?: StateRead;
  /** A later read of the rows by a token that only this write set: it tells the hit rows without the answer. */
  readonly reread?: StateRead;
  /** The work that follows in the function. */
  readonly work?: ts.CallExpression;
  /** Function it stands in. */
  readonly fn: ts.FunctionLikeDeclaration | ts.SourceFile;
}

/** The lowest score of a subject. */
const SUBJECT_SCORE = 5;

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
    const secondWriter = others.find((w) => enclosingFunction(unit, w.node) !== fn);
    const readBefore = readModifyWrite(write, { unit, reads: before }) ?? before.at(-1);
    const work = workAfter(unit, write, accesses);
    const reread = rereadByToken(unit, write, reads);
    return {
      write, unit, gate, grade, kind: kindOf(unit, write, grade, work), reads: before, fn,
      ...(protectedBy && { protectedBy }), ...(secondWriter && { secondWriter }), ...(readBefore && { readBefore }), ...(reread && { reread }), ...(work && { work }),
    };
  });
}

function kindOf(unit: Unit, write: StateWrite, { to }: Grade, work: ts.CallExpression | undefined): Transition['kind'] {
  if (to === 'unknown') return 'progress';
  if (to.some(isTerminal)) return 'finish';
  return to.some(isInFlight) && (work !== undefined || returnsRow(unit, write)) ? 'claim' : 'progress';
}

function rereadByToken(unit: Unit, write: StateWrite, reads: readonly StateRead[]): StateRead | undefined {
  const tokens = write.set.filter((a) => isTokenColumn(a.column) && a.value !== undefined && a.value.kind !== 'const');
  return reads.find((read) => sameTarget(read, write) && runsBefore(unit, write.node, read.node)
    && read.where.some((c) => c.op === 'eq' && !c.mayBeAbsent && tokens.some((t) => sameColumn(t.column, c.column) && t.value !== undefined && c.values.some((v) => t.value !== undefined && sameTerm(t.value, v)))));
}
