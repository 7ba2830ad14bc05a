import type { Place } from '../place.js';
import type { Unit } from '../syntax/unit.js';
import { actorOfNode, type Reach } from '../targets/actor.js';
import type { ActorKind } from '../targets/actor-words.js';
import { sameTarget } from '../targets/accesses.js';
import { fileTransitions } from '../targets/file-transitions.js';
import type { Grade } from '../targets/grade.js';
import { endsOtherwise, wholeFunction } from '../targets/rivals.js';
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
}

/** The second writer of a transition: one of its file first, else one of the target's row in the table that can overlap with it. */
export function rivalOfTransition(transition: Transition, row: TargetRow | undefined, reach: Reach): Rival | undefined {
  const { unit, secondWriter } = transition;
  const spoken = secondWriter && row?.writers.find((w) => w.transition.write === secondWriter && w.unit !== unit && actorOfNode(w.unit, w.node, reach).who !== undefined);
  if (spoken !== undefined) return told(unit, spoken.unit, spoken.node, reach, false);
  if (secondWriter !== undefined) return told(unit, unit, secondWriter.node, reach, false);
  const others = (row?.conflicts ?? []).flatMap(([a, b]) => (a.transition === transition ? [b] : b.transition === transition ? [a] : [])).filter((w) => w.transition !== transition && w.transition.write.layer === transition.write.layer);
  const [best] = others.map((w) => ({ w, rank: (ends(w, transition) ? 0 : 10) + (w.from === 'any' ? 0 : 6) + RANK[actorOfNode(w.unit, w.node, reach).kind] })).sort((a, b) => a.rank - b.rank).map(({ w }) => w);
  return best && told(unit, best.unit, best.node, reach, isSecondWay(transition, best, reach));
}

/** A given writer as the second one. */
export function rivalAt(from: Unit, { unit, node }: Pick<Writer, 'unit' | 'node'>, reach: Reach): Rival {
  return told(from, unit, node, reach, false);
}

/** Both are entered in ways that are told, and not in the same: then the two meet. An end that is written after an error is one of the same work. */
function isSecondWay(own: Transition, rival: Writer, reach: Reach): boolean {
  if (!ends(rival, own) || rival.transition.onError || rival.transition.write.evidence === 'name') return false;
  const [a, b] = [actorOfNode(own.unit, own.write.node, reach), actorOfNode(rival.unit, rival.node, reach)];
  return a.kind !== 'unknown' && b.kind !== 'unknown' && a.text !== b.text;
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

/** The worker in the middle of its step is what a reader thinks of first. */
const RANK: Readonly<Record<ActorKind, number>> = { queue: 0, http: 1, webhook: 1, cancel: 2, resume: 2, retry: 2, compensation: 2, cron: 3, unknown: 5 };

function ends({ transition, to }: Writer, own: Transition): boolean {
  return endsOtherwise({ ...transition.grade, to }, own.grade);
}

function told(from: Unit, unit: Unit, node: Writer['node'], reach: Reach, endsElsewhere: boolean): Rival {
  const place = unit.placeOf(node);
  return { site: siteIdAt(place), place, who: writerAt(from, unit, node, reach), isNamed: actorOfNode(unit, node, reach).who !== undefined, endsElsewhere };
}

/** A writer as a sentence names it, seen from a file. */
export function writerAt(from: Unit, unit: Unit, node: Writer['node'], reach: Reach, noun = 'write'): string {
  const { who } = actorOfNode(unit, node, reach);
  const { file, line } = unit.placeOf(node);
  const name = file.slice(file.lastIndexOf('/') + 1);
  const where = unit === from ? `line ${String(line)}` : `${name.length > 20 ? `…${name.slice(-19)}` : name}:${String(line)}`;
  if (who !== undefined) return `${who} (${where})`;
  return unit === from ? `the ${noun} of ${where}` : `the ${noun} in ${where}`;
}
