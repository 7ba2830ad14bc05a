import type ts from 'typescript';
import { docTag } from './doc-tags.js';
import { toldTime } from './told-time.js';
import type { Unit } from './unit.js';
import { Kept } from '../kept.js';

/** `@failsOpen <reason>`: the work is meant to go on without the lock store. */
export function isToldToFailOpen(unit: Unit, node: ts.Node): boolean {
  return docTag(unit, node, 'failsOpen') !== undefined;
}

/** `@singleWriter <reason>`: nobody else writes while this does. */
export function isToldSingleWriter(unit: Unit, fn: ts.Node): boolean {
  // Asked for each pair of writers.
  const held = single.get(fn);
  if (held !== undefined) return held;
  const found = docTag(unit, fn, 'singleWriter') !== undefined;
  single.set(fn, found);
  return found;
}

const single = new Kept<ts.Node, boolean>();

/** `@maxDuration 5m`: the milliseconds after which a function has ended. Undefined where it does not say. */
export function toldMaxDuration(unit: Unit, fn: ts.Node): number | undefined {
  const text = docTag(unit, fn, 'maxDuration');
  return text === undefined ? undefined : toldTime(text);
}
