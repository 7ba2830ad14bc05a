import type { StateRead, StateWrite } from '../operations/state-access.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { walkTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { statesExpected } from '../targets/can-meet.js';
import { choosesOneRow } from '../targets/group-ids.js';
import { transactionsAround } from '../targets/transaction-around.js';
import type { Transition } from '../targets/transition.js';
import type { Loser } from './paths.js';

/** The read that locked the row of a guarded write and told its state: nobody has been first since. Undefined where there is none. */
export function lockedAndAsked({ unit, write, gate, reads, protectedBy }: Transition): StateRead | undefined {
  if (protectedBy?.kind !== 'row-lock' || statesExpected(unit, write, gate, reads) === undefined) return undefined;
  return reads.find((r) => r.node === protectedBy.at);
}

/** Whether a miss need not mean that another worker was first, or hurts nobody then. */
export function isMissOfNobody({ unit, kind, write }: Transition, loser: Loser): boolean {
  if (isGivenByTransaction(unit, write)) return true;
  // Who claims works on the row that it took.
  return kind !== 'claim' && (loser.when === 'after-catch' || hangsOnNoRow(write, loser));
}

/** No id of the row's own chooses it, so that there may be none; or what follows takes things away, whoever was first. */
function hangsOnNoRow(write: StateWrite, { deletes }: Loser): boolean {
  return deletes || (write.verb === 'update' && !choosesOneRow(write.where, write.target));
}

/** The row is what a function gave that was handed the transaction around the write, and may have locked it. */
function isGivenByTransaction(unit: Unit, { node, where, client }: StateWrite): boolean {
  if (client === undefined || !transactionsAround(unit, node).some(({ handle }) => handle !== undefined && sameTerm(handle, client))) return false;
  return where.some((c) => c.op === 'eq' && c.values.some((v) => comesFrom(v, client)));
}

function comesFrom(row: Term, handle: Term): boolean {
  let found = false;
  walkTerm(row, (t) => { if (t.kind === 'call' && t.args.some((a) => sameTerm(a, handle))) found = true; });
  return found;
}
