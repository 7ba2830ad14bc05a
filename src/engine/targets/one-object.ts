import { localGuard } from '../operations/local-guards.js';
import { methodAround } from '../operations/local-memory.js';
import { isFunctionWithBody } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import { within } from './accesses.js';
import type { Transition } from './transition.js';

/**
 * A flag of an object lets one run at a time of its method in, and the object finds the row by an id that it holds itself: two such runs for one row are those of two objects, as two
 * processes have them.
 */
export function isServedByOneObject({ unit, write, reads }: Transition): boolean {
  const fn = methodAround(unit, write.node);
  if (!isFunctionWithBody(unit, fn)) return false;
  const guard = localGuard(unit, fn);
  if (guard === undefined || !guard.memory.name.startsWith('this.') || !guard.section.some((s) => within(write.node, s))) return false;
  return [write, ...reads.filter((r) => r.single)].some((a) => a.where.some((c) => c.op === 'eq' && c.values.some(isOfThis)));
}

function isOfThis(term: Term): boolean {
  return term.kind === 'path' && ((term.base.kind === 'symbol' && term.base.id === 'this') || isOfThis(term.base));
}
