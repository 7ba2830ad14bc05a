import type { StateAccess } from '../operations/state-access.js';
import type { Unit } from '../syntax/unit.js';
import { normalised, isStateColumn, targetKey } from './step-words.js';
import { statesOfTerm } from './states.js';
import { Kept, noteRead } from '../kept.js';

/** By run, then by target and column: the files that write it under a condition on its state. */
const runs = new Kept<object, Map<string, Set<string>>>();

/** By target and column, the files that write it under a condition on its state; and by the names of functions that do, as `()name`, the files these stand in. */
export type GuardNotes = readonly (readonly [key: string, files: readonly string[]])[];

/** Remembers the guarded writes of a file for the other files of a program. */
export function noteGuards(unit: Unit, accesses: readonly StateAccess[]): void {
  const guards = guardsOf(unit.run);
  for (const write of accesses) {
    if (write.kind !== 'write' || write.target === undefined || write.verb === 'delete') continue;
    for (const { column, op, values, mayBeAbsent } of write.where) {
      if (mayBeAbsent || (op !== 'eq' && op !== 'in') || !isStateColumn(column) || !values.some((v) => statesOfTerm(v) !== undefined)) continue;
      const key = keyOf(write.target, column);
      guards.set(key, (guards.get(key) ?? new Set<string>()).add(unit.path));
    }
  }
}

/** Remembers the name of a function of a file that makes a guarded write. */
export function noteName(unit: Unit, name: string): void {
  const guards = guardsOf(unit.run);
  const key = `${OF_NAMES}${name}`;
  guards.set(key, (guards.get(key) ?? new Set<string>()).add(unit.path));
}

/** The names that were noted in a run, of files of earlier runs as well. */
export function namesNoted(run: object): readonly string[] {
  return [...guardsOf(run).keys()].flatMap((key) => (key.startsWith(OF_NAMES) ? key.slice(OF_NAMES.length) : []));
}

/** No target is spelled so. */
const OF_NAMES = '()';

/** What was noted in a run: by target and column, the files; sorted. */
export function notedGuards(run: object): GuardNotes {
  return [...runs.get(run) ?? []].map(([key, files]) => [key, [...files].sort()] as const).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Notes what an earlier run noted of files that are not looked at in this one. */
export function noteEarlierGuards(run: object, notes: GuardNotes): void {
  const guards = guardsOf(run);
  for (const [key, files] of notes) guards.set(key, new Set([...guards.get(key) ?? [], ...files]));
}

/** Whether another file of the program writes the target under a positive condition on this column. Where one file is judged alone, nobody has noted any. */
export function isGuardedElsewhere(unit: Unit, target: string | undefined, column: string): boolean {
  if (target === undefined) return false;
  const key = keyOf(target, column);
  noteRead(`!${key}`);
  const files = runs.get(unit.run)?.get(key);
  return files !== undefined && [...files].some((path) => path !== unit.path);
}

function guardsOf(run: object): Map<string, Set<string>> {
  const held = runs.get(run);
  if (held !== undefined) return held;
  const guards = new Map<string, Set<string>>();
  runs.set(run, guards);
  return guards;
}

function keyOf(target: string, column: string): string {
  return `${targetKey(target)} ${normalised(column.slice(column.lastIndexOf('.') + 1))}`;
}
