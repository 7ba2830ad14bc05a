import type ts from 'typescript';
import { answersRequest, calledName } from '../flow/call-words.js';
import { within } from './accesses.js';
import { awaitedCalls } from './awaited-calls.js';
import { caughtBy } from './claimed-before.js';
import { wholeFunction } from './rivals.js';
import type { Unit } from '../syntax/unit.js';
import type { Transition } from './transition.js';

/**
 * Whether a write says that work could not be handed to a queue: it stands in the catch clause of a block whose last step sends. Who takes work from the queue has it only
 * where the sending took effect.
 */
export function failsToSend({ unit, write }: Transition): boolean {
  const block = caughtBy(unit, write.node);
  const last = block && awaitedCalls(unit, wholeFunction(unit, write.node)).findLast((c) => within(c, block));
  return last !== undefined && ENQUEUES.test(calledName(unit, last));
}

/** Whether some call below a node hands work to a queue. */
export function sends(unit: Unit, node: ts.Node): boolean {
  return (unit.ts.isCallExpression(node) && ENQUEUES.test(calledName(unit, node)) && !answersRequest(unit, node)) || unit.ts.forEachChild(node, (child) => sends(unit, child)) === true;
}

const ENQUEUES = /^(?:enqueue|publish|dispatch|trigger|schedule|send|addJob|add)(?:[A-Z]\w*)?$/;
