import { hasIdentity } from '../operations/row-identity.js';
import type { ColumnCondition, StateRead, StateWrite } from '../operations/state-access.js';
import { normalised } from './step-words.js';

/** Ids that stand for the row although they do not bear its name. */
const OWN = /^(?:|external|public|friendly|short|message|request|correlation|trace|event|remote|provider)$/;

/** Whether all ids that choose the rows are those of other things, under which many rows may stand: `conversation_id` for runs. */
export function choosesGroup(where: readonly ColumnCondition[], target: string | undefined): boolean {
  const ids = where.filter((c) => c.op === 'eq' && !c.mayBeAbsent && /(?:^|_)(?:id|uuid|guid|key|pk|rowid)$/.test(lastPart(c.column)));
  return target !== undefined && ids.length > 0 && ids.every((c) => isOfOther(c.column, lastPart(target)));
}

/** Whether an equality on an id of the row's own says that it is one row: `id`, `run_id` of runs, but not the `workflow_id` of workflow operations. */
export function choosesOneRow(where: readonly ColumnCondition[], target: string | undefined): boolean {
  return where.some((c) => c.op === 'eq' && !c.mayBeAbsent && hasIdentity([c]) && (target === undefined || !isOfOwner(c.column, lastPart(target))));
}

/** The id of what the row belongs to: of another thing, or of the one that the table's name begins with. */
function isOfOwner(column: string, target: string): boolean {
  const named = /^(\w+)_u?u?id$/.exec(lastPart(column))?.[1];
  return isOfOther(column, target) || (named !== undefined && target.startsWith(`${named}_`) && !target.endsWith(named));
}

/** Whether a read before the write lists rows by the same columns: `findMany({ where })`, then `updateMany({ where })`. */
export function listsThem(read: StateRead, write: StateWrite): boolean {
  const columns = columnsOf(write.where);
  return !read.single && columns.length > 1 && !columns.some((c) => isOwnId(c, write.target)) && columnsOf(read.where).join() === columns.join();
}

function isOwnId(column: string, target: string | undefined): boolean {
  const named = /^(?:(\w+)_)?(?:id|uuid|guid|key|pk)$/.exec(lastPart(column));
  return named !== null && (named[1] === undefined || (target !== undefined && lastPart(target).startsWith(named[1])));
}

function columnsOf(where: readonly ColumnCondition[]): readonly string[] {
  return where.filter((c) => c.op === 'eq').map((c) => normalised(c.column)).sort();
}

function isOfOther(column: string, target: string): boolean {
  const named = /^(\w+)_u?u?id$/.exec(lastPart(column))?.[1];
  return named !== undefined && !OWN.test(named) && !target.startsWith(named) && !target.includes(`_${named}`);
}

function lastPart(name: string): string {
  return normalised(name.slice(name.lastIndexOf('.') + 1));
}
