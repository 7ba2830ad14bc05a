import { standingOf } from '../functions/connection-standing.js';
import { clientOfStatement } from '../operations/connection-client.js';
import type { AccessNode, StateWrite } from '../operations/state-access.js';
import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import { within } from '../targets/accesses.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { targetKey } from '../targets/step-words.js';
import { quoted } from './quoted.js';
import { transactionScopeAround } from './transaction-scope.js';

/** A write of a locked row that runs beside the transaction that holds the lock. */
export interface WriteBeside {
  readonly at: Place;
  /** The client of the write and the handle of the transaction, quoted. */
  readonly client: string;
  readonly handle: string;
  readonly sure: boolean;
}

/** The first write of the table, in the callback of the transaction that locks a row of it, that takes another connection. */
export function writeBeside(unit: Unit, lock: AccessNode, table: string): WriteBeside | undefined {
  const scope = transactionScopeAround(unit, lock);
  const { body } = scope ?? {};
  if (scope?.client === undefined || body === undefined) return undefined;
  const writes = fileTransitions(unit).accesses.filter((a): a is StateWrite => a.kind === 'write' && a.verb !== 'verb' && a.verb !== 'persist');
  for (const write of writes) {
    if (write.node.pos < lock.end || !within(write.node, body) || write.target === undefined || targetKey(write.target) !== targetKey(table)) continue;
    const on = clientOfStatement(unit, write.node, write.layer);
    const standing = on?.kind === 'on' ? standingOf(unit, write.node, on.client) : undefined;
    if (on === undefined || standing?.kind !== 'pool' || transactionScopeAround(unit, write.node) !== scope) continue;
    const handle = body.parameters[0]?.name.getText(unit.file) ?? '';
    return { at: unit.placeOf(write.node), client: quoted(on.client.getText(unit.file), 24), handle: quoted(handle, 20), sure: standing.sure };
  }
  return undefined;
}
