import type { DocTagName } from '../syntax/doc-comments.js';
import type { Unit } from '../syntax/unit.js';
import { Kept, KeptByName } from '../kept.js';

/** Files that hold tags, and the object to keep what is found in them by: the run where all files are known, else the one file. */
export interface TaggedUnits {
  readonly units: readonly Unit[];
  readonly holder: object;
}

/** The files in reach that hold one of the tags. `tags`: one list for all who ask the same. */
export function unitsWithTags(unit: Unit, tags: readonly DocTagName[]): TaggedUnits {
  const ofRun = foundIn(unit.run);
  const held = ofRun.get(tags);
  if (held !== undefined) return held;
  const found = tags.map((t) => unit.mentioning(t));
  if (found.some((f) => f === undefined)) return { units: tags.some((t) => unit.holdsTag(t)) ? [unit] : [], holder: unit };
  const units = [...new Set(found.flatMap((f) => f ?? []))].filter((u) => tags.some((t) => u.holdsTag(t)));
  const made: TaggedUnits = { units, holder: {} };
  ofRun.set(tags, made);
  return made;
}

function foundIn(run: object): Map<readonly DocTagName[], TaggedUnits> {
  const held = known.get(run);
  if (held !== undefined) return held;
  const found = new KeptByName<readonly DocTagName[], TaggedUnits>();
  known.set(run, found);
  return found;
}

const known = new Kept<object, Map<readonly DocTagName[], TaggedUnits>>();
