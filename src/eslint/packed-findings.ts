import type { KeptAsked, KeptEntry, KeptProgram } from './kept-entry.js';

/** What is kept of the files of a working directory. */
export interface Kept {
  /** By path, absolute. */
  readonly entries: Map<string, KeptEntry>;
  /** By the path of the tsconfig. */
  readonly programs: Map<string, KeptProgram>;
}

export function nothingKept(): Kept {
  return { entries: new Map(), programs: new Map() };
}

/** Paths are many and long: they are numbers of one list. */
interface Packed {
  readonly paths: readonly string[];
  readonly entries: readonly (readonly [path: number, Omit<KeptEntry, 'typed'>, PackedAsked | 0])[];
  readonly programs: readonly PackedProgram[];
}

type PackedAsked = readonly [program: number, files: readonly number[], names: readonly string[]];

interface PackedProgram {
  readonly id: number;
  readonly options: string;
  readonly files: readonly (readonly [path: number, digest: string])[];
  readonly tagged: readonly number[];
  readonly names: readonly (readonly [name: string, paths: readonly number[]])[];
  readonly imports: readonly (readonly [from: number, answers: readonly (readonly [specifier: string, to: number])[]])[];
}

/** Leads nowhere. */
const NOWHERE = -1;

/** What is kept as text. Answers of a program that no entry rests on any more are left out, and programs without entries. */
export function packed({ entries, programs }: Kept): string {
  const numbers = new Map<string, number>();
  const used = new Map([...programs.keys()].map((id) => [id, { files: new Set<string>(), names: new Set<string>(), isOfUse: false }]));
  for (const { typed } of entries.values()) {
    const own = typed && used.get(typed.program);
    if (own === undefined) continue;
    own.isOfUse = true;
    for (const path of typed?.files ?? []) own.files.add(path);
    for (const name of typed?.names ?? []) own.names.add(name);
  }
  return JSON.stringify({
    entries: [...entries].map(([path, { typed, ...entry }]) => [number(path), entry, typed === undefined ? 0 : packedAsked(typed)] as const),
    programs: [...programs].flatMap(([id, program]) => (used.get(id)?.isOfUse === true ? packedProgram(id, program) : [])),
    paths: [...numbers.keys()],
  } satisfies Packed);

  function packedAsked({ program, files, names }: KeptAsked): PackedAsked {
    return [number(program), files.map(number), names];
  }

  function packedProgram(id: string, { options, files, tagged, names, imports }: KeptProgram): PackedProgram {
    const asked = used.get(id);
    return {
      id: number(id), options, tagged: tagged.map(number),
      files: [...files].map(([path, digest]) => [number(path), digest] as const),
      names: [...names].filter(([name]) => asked?.names.has(name)).map(([name, paths]) => [name, paths.map(number)] as const),
      imports: [...imports].filter(([from]) => asked?.files.has(from)).map(([from, answers]) => [number(from), [...answers].map(([specifier, to]) => [specifier, to === null ? NOWHERE : number(to)] as const)] as const),
    };
  }

  function number(path: string): number {
    const known = numbers.get(path) ?? numbers.size;
    numbers.set(path, known);
    return known;
  }
}

/** What was kept. The text is step-lock's own: its digest held, and this very version wrote it. */
export function unpacked(text: string): Kept {
  const { paths, entries, programs } = JSON.parse(text) as Packed;
  const path = (at: number): string => paths[at] ?? '';
  return {
    entries: new Map(entries.map(([at, entry, asked]) => {
      if (asked === 0) return [path(at), entry];
      const [program, files, names] = asked;
      return [path(at), { ...entry, typed: { program: path(program), files: files.map(path), names } }];
    })),
    programs: new Map(programs.map(({ id, options, files, tagged, names, imports }) => [path(id), {
      options, tagged: tagged.map(path),
      files: new Map(files.map(([at, digest]) => [path(at), digest])),
      names: new Map(names.map(([name, at]) => [name, at.map(path)])),
      imports: new Map(imports.map(([from, answers]) => [path(from), new Map(answers.map(([specifier, to]) => [specifier, to === NOWHERE ? null : path(to)]))])),
    }])),
  };
}
