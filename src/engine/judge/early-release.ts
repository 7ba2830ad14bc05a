import type ts from 'typescript';
import type { AcquireOperation, ReleaseOperation } from '../operations/operation.js';
import type { Place, WitnessStep } from '../place.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import { showTerm } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { handleUses, type HandleUse } from '../targets/handle-use.js';
import { transactionsAround, transactionsWithin, type TransactionAround } from '../targets/transaction-around.js';

/** How the end of a lock stands to the transaction of the writes it protects. */
export type LockEnd =
  | EndsEarly
  /** The transaction opened under the lock ends first. */
  | { readonly kind: 'after'; readonly at: Place }
  /** No transaction in sight, or none that the lock protects. */
  | { readonly kind: 'apart' }
  | { readonly kind: 'unknown' };
export interface EndsEarly {
  readonly kind: 'early';
  /** `handed`: a caller commits, after this function has come back. */
  readonly by: TransactionAround['kind'];
  readonly opened: Place;
  /** The transaction's handle as the code names it. */
  readonly handle: string;
  /** A write through the handle is in sight; else the handle is only given to code that may write. */
  readonly writes: boolean;
  readonly witness: readonly WitnessStep[];
}

/** Where a release stands; `acquires` are those of the same lock. */
export function endOfRelease(unit: Unit, release: ReleaseOperation, acquires: readonly AcquireOperation[]): LockEnd {
  const fn = enclosingFunction(unit, release.node);
  const acquire = acquires.find((a) => enclosingFunction(unit, a.node) === fn && a.node.pos < release.node.pos) ?? acquires.find((a) => a.node.pos < release.node.pos);
  if (isOnErrorOnly(unit, release.node)) return { kind: 'apart' };
  return endAt(unit, release.node, acquire?.node.pos ?? fn.pos, release.node.pos);
}

/** Where a lock ends that lasts as long as a function or a block. */
export function endOfScope(unit: Unit, { node, body, scope }: AcquireOperation): LockEnd {
  if (scope === 'using') {
    const block = blockOf(unit, node);
    return endAt(unit, node, node.pos, block.end);
  }
  const run = body === undefined ? node : bare(unit, body);
  return endAt(unit, node, run.pos, run.end);
}

function endAt(unit: Unit, node: ts.Node, from: number, to: number): LockEnd {
  const around = transactionsAround(unit, node);
  for (const transaction of around) {
    if (transaction.handle === undefined) return { kind: 'unknown' };
    const start = Math.max(from, transaction.from);
    const [use] = [...handleUses(unit, transaction.handle, start, to)].sort((a, b) => Number(b.kind === 'writes') - Number(a.kind === 'writes'));
    if (use === undefined) continue;
    return early(unit, transaction, use, node);
  }
  const [inside] = transactionsWithin(unit, enclosingFunction(unit, node), from, to);
  return inside === undefined ? { kind: 'apart' } : { kind: 'after', at: unit.placeOf(inside) };
}

function early(unit: Unit, { kind, handle, opened }: TransactionAround, use: HandleUse, end: ts.Node): EndsEarly {
  const place = unit.placeOf(opened);
  const first: WitnessStep = { place, role: 'enter', note: kind === 'handed' ? 'the transaction of a caller' : 'a transaction is opened' };
  return {
    kind: 'early', by: kind, opened: place, handle: handle === undefined ? '' : showTerm(handle), writes: use.kind === 'writes',
    witness: [
      first, { place: unit.placeOf(use.node), role: use.kind === 'writes' ? 'write' : 'call', note: use.kind === 'writes' ? 'is not committed yet' : 'gets the transaction, and may write' },
      { place: unit.placeOf(end), role: 'release', note: 'the lock ends, and the commit comes later' },
    ],
  };
}

/** The error goes on, so that nothing of the transaction is committed. */
function isOnErrorOnly(unit: Unit, node: ts.Node): boolean {
  const fn = enclosingFunction(unit, node);
  for (let n = node; n !== fn && n.parent; n = n.parent) if (unit.ts.isCatchClause(n)) return true;
  return false;
}

function blockOf(unit: Unit, node: ts.Node): ts.Node {
  for (let n = node; n.parent; n = n.parent) if (unit.ts.isBlock(n) || unit.ts.isSourceFile(n)) return n;
  return unit.file;
}
