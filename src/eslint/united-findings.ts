import type { KeptProgram } from './kept-entry.js';
import type { Kept } from './packed-findings.js';

/** What a process knows at its end. */
export interface Known extends Kept {
  /** The files whose entries were of use, or are its own. */
  readonly touched: ReadonlySet<string>;
  /** The programs it has seen: all it knows of their files holds. */
  readonly opened: ReadonlySet<string>;
}

/** What another process has written meanwhile, with what this one knows: where both speak of the same, this one counts. */
export function united(written: Kept, { entries, programs, touched, opened }: Known): Kept {
  const all: Kept = { entries: new Map(), programs: new Map() };
  for (const [id, program] of written.programs) if (!opened.has(id)) all.programs.set(id, program);
  const joined = new Set<string>();
  for (const id of opened) {
    const [own, other] = [programs.get(id), written.programs.get(id)];
    if (own === undefined) continue;
    const both = other && joinedProgram(other, own);
    if (both !== undefined) joined.add(id);
    all.programs.set(id, both ?? own);
  }
  for (const [file, entry] of written.entries) {
    // Found in a program of other texts: whether it still stands nobody has asked.
    if (entry.typed === undefined || !opened.has(entry.typed.program) || joined.has(entry.typed.program)) all.entries.set(file, entry);
  }
  for (const [file, entry] of entries) if (touched.has(file) || (entry.typed !== undefined && opened.has(entry.typed.program))) all.entries.set(file, entry);
  return all;
}

/** One program of which both have asked something; undefined where it is not the same. */
function joinedProgram(one: KeptProgram, two: KeptProgram): KeptProgram | undefined {
  if (one.options !== two.options || one.files.size !== two.files.size || [...one.files].some(([path, digest]) => two.files.get(path) !== digest)) return undefined;
  const imports = new Map([...one.imports].map(([from, answers]) => [from, new Map(answers)]));
  for (const [from, answers] of two.imports) {
    const known = imports.get(from) ?? new Map<string, string | null>();
    for (const [specifier, to] of answers) {
      if (known.has(specifier) && known.get(specifier) !== to) return undefined;
      known.set(specifier, to);
    }
    imports.set(from, known);
  }
  return { ...two, imports, names: new Map([...one.names, ...two.names]) };
}
