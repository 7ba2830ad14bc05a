import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import type { AcquireOperation } from '../operations/operation.js';
import type { Place, WitnessStep } from '../place.js';
import { shownCall, shownCode } from '../syntax/shown-code.js';
import { showTerm } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { sectionReads, type StaleRead } from '../targets/stale-read.js';
import type { Transition } from '../targets/transition.js';

/** What a rule reads of the reads that stand before an acquire. */
export type ReadsOfSection =
  | {
    readonly kind: 'stale';
    readonly at: Place;
    /** The finding is told at another site of the same section. */
    readonly toldElsewhere: boolean;
    readonly by: StaleRead['by'];
    readonly read: Place;
    /** The read, and the key of the lock, as code. */
    readonly readText: string;
    readonly key: string;
    readonly sure: boolean;
    /** As a cache does: the second worker makes the same thing once more. */
    readonly isCache: boolean;
    readonly witness: readonly WitnessStep[];
  }
  | { readonly kind: 'fresh'; readonly at: Place }
  | { readonly kind: 'none' };

/** The reads of one acquire's section, as its own site tells them. */
export function readsOfAcquire(unit: Unit, acquire: AcquireOperation): ReadsOfSection {
  const found = sectionReads(unit, acquire);
  if (found.kind === 'none') return found;
  if (found.kind === 'fresh') return { kind: 'fresh', at: unit.placeOf(found.at) };
  return told(unit, found.stale, transitionAt(unit, found.stale.writes[0]) !== undefined);
}

/** The reads that decide one write of step state under a lock of its function. */
export function readsOfWrite({ unit, write }: Transition): ReadsOfSection {
  const sections = lockOperations(unit).filter((o): o is AcquireOperation => o.kind === 'acquire').map((a) => sectionReads(unit, a));
  for (const s of sections) if (s.kind === 'stale' && s.stale.writes.some((w) => w === write.node)) return told(unit, s.stale, s.stale.writes[0] !== write.node);
  return { kind: 'none' };
}

function transitionAt(unit: Unit, node: ts.Node): Transition | undefined {
  return fileTransitions(unit).transitions.find((t) => t.write.node === node);
}

/** Told at the call that brings the old row, at the write of a row, else where the lock is taken by hand and all that follows hangs on the test. */
function placeOf(unit: Unit, { call, writes, by, acquire }: StaleRead): ts.Node {
  if (call !== undefined) return call;
  return by === 'test' && acquire.scope === 'manual' && transitionAt(unit, writes[0]) === undefined ? acquire.node : writes[0];
}

function told(unit: Unit, stale: StaleRead, toldElsewhere: boolean): ReadsOfSection {
  const { read, test, call, acquire, writes, by, sure, isCache } = stale;
  const witness: WitnessStep[] = [
    { place: unit.placeOf(read), role: 'read', note: 'read before the lock is held' },
    ...(test === undefined ? [] : [{ place: unit.placeOf(test), role: 'test', note: 'goes on because of what was read' } as const]),
    ...(call === undefined ? [] : [{ place: unit.placeOf(call), role: 'call', note: 'hands it to the function that takes the lock' } as const]),
    { place: unit.placeOf(acquire.node), role: 'acquire', note: 'here the last holder may just have finished' },
    { place: unit.placeOf(writes[0]), role: 'write', note: by === 'value' ? 'writes what is made of the old read' : 'relies on the old read' },
  ];
  return { kind: 'stale', at: unit.placeOf(placeOf(unit, stale)), toldElsewhere, by, read: unit.placeOf(read), readText: shown(unit, read), key: showTerm(acquire.key), sure, isCache, witness };
}

function shown(unit: Unit, node: StaleRead['read']): string {
  const { ts } = unit;
  const text = node.getText(unit.file);
  return ts.isCallExpression(node) ? shownCall(text, node.expression.getText(unit.file), 36) : shownCode(text, 36);
}
