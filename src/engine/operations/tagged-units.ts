import type { DocTagName } from '../syntax/doc-comments.js';
import type { Unit } from '../syntax/unit.js';
import { Kept, KeptByName } from '../kept.js';

/** Files that hold tags, and the object to keep what is found in them by: the run where all files are known, else the one file. */
export interface TaggedUnits {
  readonly units: readonly Unit[];
  readonly holder: object;
}

/** The files in reach that hold one of the tags. */
export function unitsWithTags(unit: Unit, tags: readonly DocTagName[]): TaggedUnits {
  const key = tags.join();
  const ofRun = foundIn(unit.run);
  const held = ofRun.get(key);
  if (held !== undefined) return held;
  const found = tags.map((t) => unit.mentioning(t));
  if (found.some((f) => f === undefined)) return { units: tags.some((t) => unit.holdsTag(t)) ? [unit] : [], holder: unit };
  const units = [...new Set(found.flatMap((f) => f ?? []))].filter((u) => tags.some((t) => u.holdsTag(t)));
  const made: TaggedUnits = { units, holder: {} };
  ofRun.set(key, made);
  return made;
}

function foundIn(run: object): Map<string, TaggedUnits> {
  const held = known.get(run);
  if (held !== undefined) return held;
  const found = new KeptByName<string, TaggedUnits>();
  known.set(run, found);
  return found;
}

const known = new Kept<object, Map<string, TaggedUnits>>();
