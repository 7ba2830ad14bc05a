import type { DocTagName } from '../syntax/doc-comments.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** Files that hold tags, and the object to keep what is found in them by: the run where all files are known, else the one file. */
export interface TaggedUnits {
  readonly units: readonly Unit[];
  readonly holder: object;
}

/** The files in reach that hold one of the tags. `tags`: one list for all who ask the same. */
export function unitsWithTags(unit: Unit, tags: readonly DocTagName[]): TaggedUnits {
  const ofRun = known.get(unit.run)?.get(tags);
  if (ofRun !== undefined) return ofRun;
  const found = tags.map((t) => unit.mentioning(t));
  if (found.some((f) => f === undefined)) return { units: tags.some((t) => unit.file.text.includes(`@${t}`)) ? [unit] : [], holder: unit };
  const units = [...new Set(found.flatMap((f) => f ?? []))].filter((u) => tags.some((t) => u.file.text.includes(`@${t}`)));
  const made: TaggedUnits = { units, holder: {} };
  known.set(unit.run, (known.get(unit.run) ?? new Map<readonly DocTagName[], TaggedUnits>()).set(tags, made));
  return made;
}

const known = new Kept<object, Map<readonly DocTagName[], TaggedUnits>>();
