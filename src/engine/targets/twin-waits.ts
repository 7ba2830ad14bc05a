import type ts from 'typescript';
import type { StateAccess, StateRead, StateWrite, TransactionScope } from '../operations/state-access.js';
import { sameTerm } from '../syntax/compare-terms.js';
import type { Term } from '../syntax/term.js';
import { within } from './accesses.js';
import { isOnTheWay } from './claimed-before.js';
import { fileTransitions } from './file-transitions.js';
import type { Transition } from './transition.js';

/**
 * The statement of a write's transaction at which a second run for the same row waits for the first one's commit: before it reads, it writes or locks another row on every way, and
 * finds that row by nothing but ids which the write's row is found by too (the order, and then the parts of that order). Undefined where there is none.
 */
export function whereTwinWaits({ unit, write, readBefore }: Transition): ts.Node | undefined {
  const { accesses } = fileTransitions(unit);
  const scope = accesses.find((a): a is TransactionScope => a.kind === 'transaction' && a.body !== undefined && within(write.node, a.body));
  const body = scope?.body;
  const start = readBefore?.node ?? write.node;
  if (body === undefined || !within(start, body)) return undefined;
  const ids = valuesOf(write);
  return accesses.find((a) => holdsRow(a) && within(a.node, body) && a.node.end <= start.pos && isOnTheWay(unit, a.node, write.node) && isFoundBy(a, ids))?.node;
}

function isFoundBy(a: StateRead | StateWrite, ids: readonly Term[]): boolean {
  const values = valuesOf(a);
  return values.length > 0 && values.every((v) => ids.some((id) => sameTerm(v, id)));
}

function holdsRow(a: StateAccess): a is StateRead | StateWrite {
  return a.kind === 'read' ? a.lock === 'wait' : a.kind === 'write';
}

/** What the row is found by: constants choose many. */
function valuesOf({ where }: StateRead | StateWrite): readonly Term[] {
  return where.filter((c) => c.op === 'eq' && !c.mayBeAbsent).flatMap((c) => c.values).filter((v) => v.kind !== 'const');
}
