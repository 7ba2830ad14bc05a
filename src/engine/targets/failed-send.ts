import { calledName } from '../flow/call-words.js';
import { within } from './accesses.js';
import { awaitedCalls } from './awaited-calls.js';
import { caughtBy } from './claimed-before.js';
import { wholeFunction } from './rivals.js';
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

const ENQUEUES = /^(?:enqueue|publish|dispatch|trigger|schedule|send|addJob|add)(?:[A-Z]\w*)?$/;
