import type ts from 'typescript';
import type { WitnessStep } from '../place.js';
import { quotedCode } from '../syntax/shown-code.js';
import type { Unit } from '../syntax/unit.js';
import type { World } from './simulate.js';

/** How the deciding call is told: a lock's acquire, or a guarded write. */
export interface StartWords {
  readonly role: WitnessStep['role'];
  readonly won: string;
  readonly failed: string;
  readonly lost: string;
}
export const ACQUIRE_WORDS: StartWords = { role: 'acquire', won: 'the lock is taken', failed: 'the acquire fails', lost: 'another worker holds the lock: the acquire says no' };
export const WRITE_WORDS: StartWords = { role: 'write', won: 'the write hits', failed: 'the write fails', lost: 'another worker was first: the write misses' };

/** The path to a world as steps a person can follow: the acquire, the tests that were decided, the release and the end. */
export function witnessOf(unit: Unit, world: World, site: ts.Node, end: { readonly node: ts.Node; readonly role: WitnessStep['role']; readonly note: string }, words = ACQUIRE_WORDS): WitnessStep[] {
  const path: World[] = [];
  for (let w: World | undefined = world; w; w = w.from) path.push(w);
  path.reverse();
  const steps: WitnessStep[] = [];
  let started = false;
  for (const [i, w] of path.entries()) {
    const next = path[i + 1];
    const node = w.at.node;
    if (node === undefined || next === undefined) continue;
    if (next.site === site && w.site !== site) {
      started = true;
      const note = next.hold === 'held' ? words.won : next.via === 'throw' ? words.failed : words.lost;
      steps.push({ place: unit.placeOf(site), role: words.role, note });
    } else if (w.at.kind === 'test' && started && (next.via === 'true' || next.via === 'false')) {
      steps.push({ place: unit.placeOf(node), role: 'test', note: testNote(unit, node, next.via) });
    } else if (next.via === 'throw' && started && node !== end.node) {
      steps.push({ place: unit.placeOf(node), role: 'call', note: 'throws' });
    }
  }
  const tests = steps.filter((s) => s.role === 'test');
  const kept = steps.filter((s) => s.role !== 'test' || tests.indexOf(s) >= tests.length - 3);
  return [...kept, { place: unit.placeOf(end.node), role: end.role, note: end.note }];
}

/** A loop is shown by its head. */
function testNote(unit: Unit, node: ts.Node, via: 'true' | 'false'): string {
  const { ts } = unit;
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) {
    const head = unit.textBetween(node.getStart(unit.file), node.statement.pos);
    return `${quotedCode(head, 60)} ${via === 'true' ? 'goes on' : 'ends'}`;
  }
  return `${quotedCode(node.getText(unit.file), 60)} is ${via}`;
}
