import { holdsWord } from '../engine/syntax/holds-word.js';
import { isDocTag } from '../engine/syntax/doc-tag-names.js';
import { mayTagCalls } from '../engine/tag-words.js';
import type { KeptAsked, KeptEntry, KeptProgram } from './kept-entry.js';

/** A program as it is now. */
export interface ProgramNow {
  readonly options: string;
  /** The digests of its own files, by path, sorted. */
  readonly files: ReadonlyMap<string, string>;
  /** The text of an own file. */
  textOf(path: string): string | undefined;
  resolve(from: string, specifier: string): string | undefined;
}

export interface MovedProgram {
  /** The program with the answers of now to all that had been asked. */
  readonly now: KeptProgram;
  /** Nothing of it has changed. */
  readonly isSame: boolean;
  /** Whether an entry still stands that was found in the program as it was. */
  stands(entry: KeptEntry, asked: KeptAsked): boolean;
}

/** Compares a program with what was kept of it. Undefined where nothing that was found in it is of use. */
export function movedProgram(before: KeptProgram, now: ProgramNow): MovedProgram | undefined {
  if (before.options !== now.options) return undefined;
  const changed = new Set([...before.files.keys(), ...now.files.keys()].filter((path) => before.files.get(path) !== now.files.get(path)));
  const { imports, rerouted } = reroutedFiles(before, now, changed);
  const { names, moved } = movedNames(before, now, changed);
  const tagged = [...before.tagged.filter((path) => !changed.has(path)), ...[...changed].filter((path) => mayTagCalls(now.textOf(path) ?? ''))].sort();
  const areTagsSame = !before.tagged.some((path) => changed.has(path)) && !tagged.some((path) => changed.has(path));
  const isOther = (path: string): boolean => changed.has(path) || rerouted.has(path);
  return {
    now: { options: now.options, files: now.files, tagged, names, imports },
    isSame: changed.size === 0 && rerouted.size === 0,
    stands: ({ judged }, { files, names: asked }) => (judged !== undefined || areTagsSame) && !files.some(isOther) && !asked.some((name) => moved.has(name)),
  };
}

/** Files whose imports lead elsewhere, though their text may be the same: a file came or went, a package was linked anew. */
function reroutedFiles(before: KeptProgram, now: ProgramNow, changed: ReadonlySet<string>): { readonly imports: KeptProgram['imports']; readonly rerouted: ReadonlySet<string> } {
  const imports = new Map<string, ReadonlyMap<string, string | null>>();
  const rerouted = new Set<string>();
  for (const [from, specifiers] of before.imports) {
    // Who asked for what it imports looked at it, and is asked no more.
    if (changed.has(from)) continue;
    const answers = new Map([...specifiers.keys()].map((specifier) => [specifier, now.resolve(from, specifier) ?? null]));
    if ([...specifiers].some(([specifier, to]) => answers.get(specifier) !== to)) rerouted.add(from);
    imports.set(from, answers);
  }
  return { imports, rerouted };
}

/** Names that are mentioned in other files than before. Of the files that are the same the answer is known. */
function movedNames(before: KeptProgram, now: ProgramNow, changed: ReadonlySet<string>): { readonly names: KeptProgram['names']; readonly moved: ReadonlySet<string> } {
  if (changed.size === 0) return { names: before.names, moved: new Set() };
  const names = new Map<string, readonly string[]>();
  const moved = new Set<string>();
  for (const [name, paths] of before.names) {
    const had = new Set(paths);
    const isMoved = [...changed].some((path) => had.has(path) !== mentions(now.textOf(path), name));
    if (isMoved) moved.add(name);
    names.set(name, isMoved ? [...paths.filter((path) => !changed.has(path)), ...[...changed].filter((path) => mentions(now.textOf(path), name))].sort() : paths);
  }
  return { names, moved };
}

function mentions(text: string | undefined, name: string): boolean {
  return text !== undefined && (isDocTag(name) ? text.includes(`@${name}`) : holdsWord(text, name));
}
