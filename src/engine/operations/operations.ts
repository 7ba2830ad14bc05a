import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import { localCall } from './local-packages.js';
import { lockCall } from './lock-call.js';
import type { Operation } from './operation.js';
import { sqlLocksAt } from './lock-sql.js';
import { redisOperation } from './redis.js';
import { renewalCall } from './renewal-call.js';
import { Kept } from '../kept.js';

const known = new Kept<Unit, readonly Operation[]>();

/** All calls of a file that may be lock operations, in the order of the text. */
export function operations(unit: Unit): readonly Operation[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = findOperations(unit);
  known.set(unit, found);
  return found;
}

function findOperations(unit: Unit): readonly Operation[] {
  const { ts } = unit;
  const found: Operation[] = [];
  for (const node of fileNodes(unit).evaluations) {
    if (ts.isCallExpression(node)) {
      const operation = lockCall(unit, node) ?? redisOperation(unit, node) ?? renewalCall(unit, node);
      // A mutex of this process has the words of a lock, and is judged as what it is.
      if (operation !== undefined && !(operation.evidence === 'name' && localCall(unit, node) !== undefined)) found.push(operation);
    }
    found.push(...sqlLocksAt(unit, node));
  }
  return found;
}
