import type { EngineError } from '../engine/judge/site.js';
import { keyOfQuestion } from '../engine/syntax/questions.js';
import type { FileFixes } from './checked-fixes.js';
import type { FilePart, Parts, RowPart } from '../engine/parts.js';
import { numberedPart, readNames } from './numbered-reads.js';

/** What an audit found out, by what it depends on: enough for a later audit of a tree that differs in some files. Plain data; paths are absolute. */
export interface AuditState {
  readonly version: 1;
  /** What has to be the same for the state to be of use: tool, rules, models, paths, configuration files. */
  readonly key: string;
  /** Every source file: whether it was judged or left out, and what it holds. */
  readonly contents: Readonly<Record<string, string>>;
  /** Files that are not judged and were read for others: what they hold. */
  readonly besides: Readonly<Record<string, string>>;
  /** The files that were judged, in the order of their paths. */
  readonly files: readonly FilePart[];
  readonly rows: readonly RowPart[];
  readonly guards: Parts['guards'];
  /** What was asked about files and went into the verdict on others, with the answers in short: by file, then by question. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names that were asked for, with the files that mentioned them. */
  readonly mentions: Readonly<Record<string, readonly string[]>>;
  /** Specifiers that were asked for: from which file, and where they led. */
  readonly specifiers: readonly (readonly [from: string, specifier: string, to: string | null])[];
  /** What was found of suggestions, by file. A share has none. */
  readonly fixes: Readonly<Record<string, FileFixes>>;
  /** The first syntax error of each file that has one. */
  readonly syntax: Readonly<Record<string, EngineError>>;
}

/**
 * The reads of all parts are long and alike: they are kept as numbers of one list, of which the questions in `answers` are the first. So are paths, of which those of
 * `contents` are the first.
 */
interface Packed {
  readonly state: Omit<AuditState, 'files' | 'rows' | 'fixes' | 'contents' | 'specifiers'>;
  readonly paths: readonly string[];
  readonly contents: readonly string[];
  /** Three entries each. Where it led nowhere, -1. */
  readonly specifiers: readonly (number | string)[];
  readonly names: readonly string[];
  readonly files: readonly { readonly part: Omit<FilePart, 'reads'>; readonly reads: readonly number[] }[];
  readonly rows: readonly { readonly part: Omit<RowPart, 'reads'>; readonly reads: readonly number[] }[];
  readonly fixes: readonly { readonly path: string; readonly results: FileFixes['results']; readonly reads: readonly number[] }[];
}

/** The state as text to keep. */
export function packedState(state: AuditState): string {
  const numbers = new Map(keysOf(state.answers).map((key, at) => [key, at]));
  const asked = numbers.size;
  const numbered = (reads: readonly string[]): number[] => reads.map((name) => {
    const known = numbers.get(name) ?? numbers.size;
    numbers.set(name, known);
    return known;
  });
  const places = new Map(Object.keys(state.contents).map((path, at) => [path, at]));
  const placed = (path: string): number => {
    const known = places.get(path) ?? places.size;
    places.set(path, known);
    return known;
  };
  const { files, rows, fixes, contents, specifiers, ...rest } = state;
  const packed = {
    state: rest,
    contents: Object.values(contents),
    specifiers: specifiers.flatMap(([from, specifier, to]) => [placed(from), specifier, to === null ? -1 : placed(to)]),
    files: files.map(({ reads, ...part }) => ({ part, reads: numbered(reads) })),
    rows: rows.map(({ reads, ...part }) => ({ part, reads: numbered(reads) })),
    fixes: Object.entries(fixes).map(([path, { results, reads }]) => ({ path, results, reads: numbered(reads) })),
  };
  return JSON.stringify({ ...packed, names: [...numbers.keys()].slice(asked), paths: [...places.keys()] } satisfies Packed);
}

function keysOf(answers: AuditState['answers']): string[] {
  return Object.entries(answers).flatMap(([path, questions]) => Object.keys(questions).map((question) => keyOfQuestion(path, question)));
}

/** The state that was kept; undefined for a text that is none: it is thrown away then. */
export function unpackedState(text: string): AuditState | undefined {
  try {
    const packed: unknown = JSON.parse(text);
    if (!isPacked(packed)) return undefined;
    const names = readNames(packed.state.answers, packed.names);
    const { paths } = packed;
    return {
      ...packed.state,
      contents: Object.fromEntries(packed.contents.map((content, at) => [paths[at] ?? '', content])),
      specifiers: specifiersOf(packed),
      files: packed.files.map(({ part, reads }) => numberedPart(part, reads, names)),
      rows: packed.rows.map(({ part, reads }) => numberedPart(part, reads, names)),
      fixes: Object.fromEntries(packed.fixes.map(({ path, results, reads }) => [path, numberedPart({ results }, reads, names)])),
    };
  } catch {
    return undefined;
  }
}

function specifiersOf({ specifiers, paths }: Packed): AuditState['specifiers'] {
  const found: (readonly [string, string, string | null])[] = [];
  for (let at = 0; at < specifiers.length; at += 3) found.push([paths[Number(specifiers[at])] ?? '', String(specifiers[at + 1]), paths[Number(specifiers[at + 2])] ?? null]);
  return found;
}

/** The file is step-lock's own; its key tells the version that wrote it. Whether it is whole is all there is to ask. */
function isPacked(value: unknown): value is Packed {
  if (typeof value !== 'object' || value === null || !('state' in value) || !('names' in value) || !('files' in value) || !('rows' in value) || !('fixes' in value) || !('paths' in value)) return false;
  return typeof value.state === 'object' && value.state !== null && 'version' in value.state && value.state.version === 1;
}
