import type { Term } from '../syntax/term.js';
import { template } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { sqlAccess } from './access-sql.js';
import type { SqlRun } from './access-sql-run.js';
import { isLockTable } from './lock-column.js';
import { clientOf, runsBeside, transactionWords } from './lock-sql-scope.js';
import type { AcquireOperation } from './operation.js';
import { UNKNOWN_FORM } from './result-form.js';

/**
 * `SELECT .. FROM named_locks WHERE name = $1 FOR UPDATE` after a BEGIN of the same client: the row of a table of locks stands for the lock as long as the transaction
 * is open. Rows of other tables are locked for their own sake. What the answer says is not followed.
 */
export function rowLocks(unit: Unit, runs: readonly SqlRun[]): AcquireOperation[] {
  const begins = runs.filter((run) => transactionWords(run).includes('begin'));
  return runs.flatMap((run): AcquireOperation[] => {
    const access = begins.some((b) => b !== run && b.node.end <= run.node.pos + 1 && runsBeside(b, run)) ? sqlAccess(unit, run.node) : undefined;
    if (access?.kind !== 'read' || access.lock === 'none' || access.target === undefined || !isLockTable(access.target)) return [];
    const identity = access.where.find((c) => c.op === 'eq' && c.values.length === 1)?.values[0];
    const row: Term = identity ?? { kind: 'unknown', text: 'row', parts: [] };
    return [{
      kind: 'acquire', node: run.node, api: 'FOR UPDATE', key: template([{ kind: 'const', value: `locked row of ${access.target} ` }, row]), evidence: 'model', owner: undefined, hasOwnerSlot: false,
      ttl: { kind: 'lapses-otherwise' }, bare: false, result: UNKNOWN_FORM, link: 'connection', scope: 'manual', receiver: clientOf(run),
    }];
  });
}
