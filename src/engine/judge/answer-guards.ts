import type ts from 'typescript';
import { hasEffect } from '../flow/call-words.js';
import { simulate, type World } from '../flow/simulate.js';
import { graphOf } from '../functions/function-graph.js';
import type { ResultForm } from '../operations/result-form.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** How a read that finds something taken, or free, steers what comes after it. */
export interface Guarded {
  /** Where whoever finds it taken leaves, without the write: the function itself where it falls off its end, the read where it asks again and again. */
  readonly refusal: ts.Node;
  /** The work does not always lead to the write: its answer decides. */
  readonly mayBeLeftOut: boolean;
  /** The first work on the way from the read to the write. */
  readonly workBefore: ts.Node | undefined;
  /** The first work after the write. */
  readonly workAfter: ts.Node | undefined;
}

/** Whether a write in the same function runs where a read found nothing, and not where it found something. `free`: what the read answers then. */
export function guardedBy(unit: Unit, read: ts.Node, form: ResultForm, write: ts.Node): Guarded | undefined {
  const { ts } = unit;
  const graph = graphOf(unit, enclosingFunction(unit, read));
  const worlds = graph && simulate(unit, graph, { acquires: new Map([[read, form]]), releases: new Set(), escapes: () => false, recalls: () => false });
  if (worlds === undefined) return undefined;
  const free = worlds.filter((w) => w.site === read && w.hold === 'held');
  const taken = worlds.filter((w) => w.site === read && w.hold === 'lost' && !failed(w));
  if (!free.some((w) => w.at.node === write)) return undefined;
  const leaving = taken.filter((w) => isEnd(w) && !passes(w));
  const others = new Set(free.filter((w) => isEnd(w) && !passes(w)).map(endOf));
  const waits = taken.length > 0 && !taken.some(isEnd) && !taken.some((w) => w.at.node === write);
  const refusal = leaving.map(endOf).find((end) => !others.has(end)) ?? (waits ? read : undefined);
  if (refusal === undefined) return undefined;
  const work = free.filter((w) => w.at.kind === 'call' && w.at.node !== undefined && w.at.node !== write && w.at.node !== read && hasEffect(unit, w.at.node));
  return {
    refusal,
    mayBeLeftOut: free.some((w) => isEnd(w) && !passes(w) && chain(w).some((x) => work.includes(x))),
    workBefore: free.filter((w) => w.at.node === write).flatMap((w) => chain(w).filter((x) => work.includes(x)).map((x) => x.at.node)).find((n) => n !== undefined),
    workAfter: work.find((w) => chain(w).some((x) => x !== w && x.at.node === write))?.at.node,
  };

  function isEnd(w: World): boolean {
    if (w.at.kind === 'exit') return true;
    return w.at.kind === 'throw-exit' && chain(w).find((x) => x.via === 'throw')?.from?.at.kind === 'throw';
  }

  function passes(w: World): boolean {
    return chain(w).some((x) => x.at.node === write);
  }

  function failed(w: World): boolean {
    return chain(w).some((x) => x.via === 'throw' && x.from?.at.node !== undefined && x.from.at.kind !== 'throw');
  }

  function endOf(w: World): ts.Node {
    return chain(w).find((x) => (x.at.kind === 'return' || x.at.kind === 'throw') && x.at.node !== undefined)?.at.node ?? enclosingFunction(unit, read);
  }

  function chain(world: World): World[] {
    const path: World[] = [];
    for (let w: World | undefined = world; w; w = w.from) {
      path.push(w);
      // An earlier round of a loop asks anew.
      if (w.from !== undefined && (w.from.at.node === read || (w.from.at.kind === 'await' && w.from.at.node !== undefined && ts.isAwaitExpression(w.from.at.node) && w.from.at.node.expression === read))) break;
    }
    return path;
  }
}
