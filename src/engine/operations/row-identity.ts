import type { ColumnCondition } from './state-access.js';

const IDENTITY = /^(?:_?id|uuid|guid|key|pk|rowid)$|(?:_id|Id|ID|_uuid|_key|Key)$/;
/** Ids of an owner, under which many rows stand. */
const GROUP = /^(?:tenant|org|organi[sz]ation|account|user|workspace|project|team|customer|owner|parent|worker|shop|company)_?(?:id|uuid|key)$/i;

/** Whether an equality on the row's identity says that it is one row. */
export function hasIdentity(where: readonly ColumnCondition[]): boolean {
  return where.some((c) => c.op === 'eq' && !c.mayBeAbsent && IDENTITY.test(c.column) && !GROUP.test(c.column));
}
