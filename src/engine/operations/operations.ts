import type ts from 'typescript';
import type { Unit } from '../syntax/unit.js';
import { lockCall } from './lock-call.js';
import type { Operation } from './operation.js';
import { redisOperation } from './redis.js';

/** All calls of a file that may be lock operations, in the order of the text. */
export function operations(unit: Unit): Operation[] {
  const { ts } = unit;
  const found: Operation[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const operation = lockCall(unit, node) ?? redisOperation(unit, node);
      if (operation !== undefined) found.push(operation);
    }
    ts.forEachChild(node, walk);
  };
  walk(unit.file);
  return found;
}
