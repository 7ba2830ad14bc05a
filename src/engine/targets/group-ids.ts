import type { ColumnCondition } from '../operations/state-access.js';
import { normalised } from './step-words.js';

/** Ids that stand for the row although they do not bear its name. */
const OWN = /^(?:|external|public|friendly|short|message|request|correlation|trace|event|remote|provider)$/;

/** Whether all ids that choose the rows are those of other things, under which many rows may stand: `conversation_id` for runs. */
export function choosesGroup(where: readonly ColumnCondition[], target: string | undefined): boolean {
  const ids = where.filter((c) => c.op === 'eq' && !c.mayBeAbsent && /(?:^|_)(?:id|uuid|guid|key|pk|rowid)$/.test(lastPart(c.column)));
  return target !== undefined && ids.length > 0 && ids.every((c) => isOfOther(c.column, lastPart(target)));
}

function isOfOther(column: string, target: string): boolean {
  const named = /^(\w+)_u?u?id$/.exec(lastPart(column))?.[1];
  return named !== undefined && !OWN.test(named) && !target.startsWith(named) && !target.includes(`_${named}`);
}

function lastPart(name: string): string {
  return normalised(name.slice(name.lastIndexOf('.') + 1));
}
