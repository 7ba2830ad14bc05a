import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import { actorOfNode, type Reach } from '../targets/actor.js';
import { sameTarget } from '../targets/accesses.js';
import { fileTransitions } from '../targets/file-transitions.js';
import type { Grade } from '../targets/grade.js';
import { wholeFunction } from '../targets/rivals.js';
import { stateWord } from '../targets/step-words.js';
import type { TargetRow } from '../targets/target-table.js';
import type { Transition } from '../targets/transition.js';
import type { Writer } from '../targets/writers.js';
import { siteIdAt } from './site.js';

/** The second writer of a row, as a finding speaks of it. */
export interface Rival {
  /** Id of its site. */
  readonly site: string;
  readonly place: Place;
  /** `POST /cancel` in backticks and its place; `the write of line 31` where nothing tells how it is entered. */
  readonly who: string;
  /** Something tells how it is entered. */
  readonly isNamed: boolean;
  /** It stands in another file and leaves a final state that the write undoes. */
  readonly endsElsewhere: boolean;
  /** Nobody else meets the write: the same code, entered a second time. `again`: that run writes nothing else than this one does. `late`: it may come when others have moved
   * the row on. */
  readonly run?: 'otherwise' | 'again' | 'late';
  /** The fact that is missing to say that it meets this write and that something is lost then; undefined where nothing speaks against it. */
  readonly doubt?: string;
}

/** A given writer as the second one. */
export function rivalAt(from: Unit, { unit, node }: Pick<Writer, 'unit' | 'node'>, reach: Reach): Rival {
  return told(from, unit, node, reach, false);
}

/** What a sentence has room for. */
const LONGEST = 40;

/** Another writer that takes the row out of a state which a guarded write expects; only where something tells how it is entered. */
export function takerOf(transition: Transition, row: TargetRow | undefined, reach: Reach): Rival | undefined {
  const { unit, write, grade } = transition;
  const own = wholeFunction(unit, write.node);
  const all = row?.writers ?? fileTransitions(unit).transitions.filter((t) => sameTarget(t.write, write)).map((t) => ({ transition: t, unit: t.unit, node: t.write.node, from: t.grade.from, to: t.grade.to }));
  const takers = all.filter((w) => w.transition.write !== write && wholeFunction(w.unit, w.node) !== own && w.transition.write.layer === write.layer && isTaken(w, grade));
  const named = takers.map((w) => told(unit, w.unit, w.node, reach, false)).filter((r) => r.isNamed && r.who.length <= LONGEST);
  return named[0];
}

function isTaken({ from, to }: Pick<Writer, 'from' | 'to'>, own: Grade): boolean {
  if (from === 'any' || own.from === 'any') return false;
  const expected = own.from.map(stateWord);
  return from.some((s) => expected.includes(stateWord(s))) && !(to !== 'unknown' && to.every((s) => expected.includes(stateWord(s))));
}

/** A writer as a rival, seen from a file. */
export function told(from: Unit, unit: Unit, node: Writer['node'], reach: Reach, endsElsewhere: boolean): Rival {
  const place = unit.placeOf(node);
  return { site: siteIdAt(place), place, who: writerAt(from, unit, node, reach), isNamed: actorOfNode(unit, node, reach).who !== undefined, endsElsewhere };
}

/** A writer as a sentence names it, seen from a file. */
export function writerAt(from: Unit, unit: Unit, node: Writer['node'], reach: Reach, noun = 'write'): string {
  const { who } = actorOfNode(unit, node, reach);
  const where = whereAt(from, unit, node);
  if (who !== undefined) return `${who} (${where})`;
  return unit === from ? `the ${noun} of ${where}` : `the ${noun} in ${where}`;
}

/** A place as a sentence has room for it, seen from a file. */
export function whereAt(from: Unit, unit: Unit, node: Writer['node']): string {
  const { file, line } = unit.placeOf(node);
  if (unit === from) return `line ${String(line)}`;
  const name = file.slice(file.lastIndexOf('/') + 1);
  return `${name.length > 20 ? `…${name.slice(-19)}` : name}:${String(line)}`;
}
