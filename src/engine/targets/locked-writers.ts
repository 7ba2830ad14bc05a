import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { callTerms } from '../functions/call-terms.js';
import { calledFunction } from '../functions/called-function.js';
import { lockOperations } from '../functions/lock-operations.js';
import type { AccessNode } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from './file-transitions.js';
import { lockCover } from './lock-cover.js';
import { targetKey } from './step-words.js';
import { identityOf, type Transition } from './transition.js';
import { STATE_VERB } from './state-verb.js';
import { Kept } from '../kept.js';

/** A writer of a target that holds a lock of the row. */
export interface LockedWriter {
  readonly unit: Unit;
  readonly target: string;
  readonly node: AccessNode;
  readonly key: Term;
}

const known = new Kept<Unit, readonly LockedWriter[]>();

/** The writers of step state in a file that hold a lock of the row they write, directly or through a function that writes. */
export function lockedWriters(unit: Unit): readonly LockedWriter[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = findWriters(unit);
  known.set(unit, found);
  return found;
}

function findWriters(unit: Unit): LockedWriter[] {
  const { ts } = unit;
  const acquires = lockOperations(unit).filter((o) => o.kind === 'acquire');
  if (acquires.length === 0) return [];
  const found: LockedWriter[] = [];
  // Who has locked the row itself keeps plain writes waiting.
  for (const t of fileTransitions(unit).transitions) if (t.protectedBy?.kind !== 'row-lock') add(t, t.write.node, identityOf(t.write));
  const locking = new Set(acquires.map((a) => enclosingFunction(unit, a.node)));
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && STATE_VERB.test(calledName(unit, node))) addCall(node);
    ts.forEachChild(node, visit);
  };
  for (const fn of locking) visit(fn);
  return found;

  function add({ write }: Transition, node: AccessNode, identity: readonly Term[]): void {
    if (write.target === undefined || found.some((w) => w.node === node)) return;
    const cover = lockCover(unit, node, identity);
    if (cover.kind === 'covered') found.push({ unit, target: targetKey(write.target), node, key: cover.key });
  }

  function addCall(call: ts.CallExpression): void {
    const called = calledFunction(unit, call);
    if (called === undefined) return;
    const inside = fileTransitions(called.unit).transitions.filter((t) => t.fn === called.fn);
    const terms = inside.length === 0 ? undefined : callTerms(unit, call, called);
    if (terms !== undefined) for (const t of inside) add(t, call, identityOf(t.write).flatMap((term) => terms.inCaller(term) ?? []));
  }
}
