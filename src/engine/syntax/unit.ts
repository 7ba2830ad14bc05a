import type ts from 'typescript';
import { isNoting, noteRead, unnoted } from '../kept.js';
import { NO_MODELS, type Models } from '../models.js';
import type { Place, Span } from '../place.js';
import type { Project } from '../project.js';
import { holdsWord } from './holds-word.js';
import { kindsOf, type Kinds } from './kinds.js';
import { questionKey } from './questions.js';
import { createScopes, type Scopes } from './scope.js';
import { quickly, type Ts } from './typescript.js';
import { watched, type WatchedTree } from './watched-tree.js';

/** One file under judgement: its tree, its scopes and the way to other files. */
export interface Unit {
  readonly ts: Ts;
  readonly kinds: Kinds;
  /** Parsed when it is first asked for. */
  readonly file: ts.SourceFile;
  readonly path: string;
  readonly scopes: Scopes;
  /** What is known of APIs and state beside the code. */
  readonly models: Models;
  /** The same object for all units of one run: what is found once for all of them is kept by it. */
  readonly run: object;
  /** The unit of the file a specifier leads to; undefined for packages and unreachable files. */
  importOf(specifier: string): Unit | undefined;
  /** The files whose text holds a name, this one among them; undefined where the set of files is not known. */
  mentioning(name: string): readonly Unit[] | undefined;
  /** The paths of those files that count, none of them read, where they are no more than that: whoever is told of too many need not know which. */
  mentionedIn(name: string, most: number, counts: (path: string) => boolean): readonly string[] | 'too-many' | undefined;
  unitAt(path: string): Unit | undefined;
  /** After how many milliseconds the platform ends a run of its functions, by configuration beside the code. */
  runLimit(): number | undefined;
  placeOf(node: ts.Node): Place;
  /** The whole text. Whoever asks for it depends on all of it: `says` and nodes cost less. */
  readonly text: string;
  /** False: no identifier of the file is this word. Told by the text; to be asked where what it is asked for notes what it reads. */
  mayName(word: string): boolean;
  /** Whether the text holds a pattern. */
  says(pattern: RegExp): boolean;
  /** What the first group of a pattern with the flag `g` matches in the text. */
  saysAll(pattern: RegExp): readonly string[];
  /** Whether a tag stands in the text. */
  holdsTag(tag: string): boolean;
  /** The text between two places within a node at hand. */
  textBetween(from: number, to: number): string;
}

/** Makes units and keeps one a path, so that nodes and bindings of a file are the same objects for all who ask. */
export interface Units {
  of(file: ts.SourceFile): Unit;
  at(path: string): Unit | undefined;
}

/** @param isWatched Trees tell what is read of them. */
export function createUnits(given: Ts, project: Project, models: Models = NO_MODELS, isWatched = false): Units {
  const ts = quickly(given);
  const kinds = kindsOf(ts);
  const run = {};
  const known = new Map<string, Unit>();
  const units: Units = {
    of(file) {
      const held = known.get(file.fileName);
      if (held?.file === file) return held;
      return made(file.fileName, file.text, () => file);
    },
    at(path) {
      const held = known.get(path);
      if (held !== undefined) return held;
      if (project.text === undefined) {
        const file = project.file(path);
        return file === undefined ? undefined : units.of(file);
      }
      const text = project.text(path);
      return text === undefined ? undefined : made(path, text, () => {
        const file = project.file(path);
        if (file === undefined) throw new Error(`a file with a text cannot be parsed: ${path}`);
        return file;
      });
    },
  };
  return units;

  function made(path: string, text: string, parse: () => ts.SourceFile): Unit {
    const unit = createUnit({ ts, kinds, path, text, parse, project, units, models, run, isWatched });
    known.set(path, unit);
    return unit;
  }
}

interface Surroundings {
  readonly ts: Ts;
  readonly kinds: Kinds;
  readonly path: string;
  readonly text: string;
  readonly parse: () => ts.SourceFile;
  readonly project: Project;
  readonly units: Units;
  readonly models: Models;
  readonly run: object;
  readonly isWatched: boolean;
}

function createUnit({ ts, kinds, path: ownPath, text, parse, project, units, models, run, isWatched }: Surroundings): Unit {
  let scopes: Scopes | undefined;
  let parsed: { readonly file: ts.SourceFile; readonly tree: WatchedTree | undefined } | undefined;
  const resolved = new Map<string, string | undefined>();
  const tags = new Map<string, boolean>();
  return {
    ts,
    kinds,
    get file() {
      return tree().file;
    },
    path: ownPath,
    models,
    run,
    get scopes() {
      return (scopes ??= scopesOf());
    },
    importOf(specifier) {
      if (!resolved.has(specifier)) resolved.set(specifier, project.resolve(ownPath, specifier));
      const path = resolved.get(specifier);
      if (path !== undefined) noteRead(questionKey(path, 'isThere'));
      return path === undefined ? undefined : units.at(path);
    },
    mentionedIn(name, most, counts) {
      const paths = project.filesMentioning(name);
      if (paths === 'cannot-say') return undefined;
      const found = paths.filter(counts);
      noteRead(found.length > most ? `%${name}` : `?${name}`);
      return found.length > most ? 'too-many' : found;
    },
    runLimit: () => project.runLimit(ownPath),
    unitAt(path) {
      noteRead(questionKey(path, 'isThere'));
      return units.at(path);
    },
    mentioning(name) {
      noteRead(`?${name}`);
      const paths = project.filesMentioning(name);
      return paths === 'cannot-say' ? undefined : paths.flatMap((path) => {
        noteRead(questionKey(path, 'isThere'));
        return units.at(path) ?? [];
      });
    },
    placeOf(node) {
      const { file, tree: noting } = tree();
      noting?.notePlace(node);
      return { file: ownPath, ...spanOf(file, node) };
    },
    get text() {
      noteRead(ownPath);
      return text;
    },
    mayName: (word) => !PLAIN_WORD.test(word) || holdsWord(text, word) || text.includes('\\u'),
    says(pattern) {
      notePattern(pattern);
      return pattern.test(text);
    },
    saysAll(pattern) {
      notePattern(pattern);
      return [...text.matchAll(pattern)].map(([, found = '']) => found);
    },
    // All files are judged anew where a file with tags changes.
    holdsTag(tag) {
      // Asked at each call of the file.
      let holds = tags.get(tag);
      if (holds === undefined) tags.set(tag, (holds = text.includes(`@${tag}`)));
      return holds;
    },
    textBetween: (from, to) => text.slice(from, to),
  };

  function tree(): NonNullable<typeof parsed> {
    if (parsed !== undefined) return parsed;
    const file = parse();
    parsed = { file, tree: isWatched ? unnoted(() => watched(ts, file)) : undefined };
    return parsed;
  }

  function scopesOf(): Scopes {
    const { file, tree: noting } = tree();
    const plain = unnoted(() => createScopes(ts, kinds, file));
    return noting?.scopes(plain) ?? plain;
  }

  function notePattern(pattern: RegExp): void {
    if (isNoting()) noteRead(questionKey(ownPath, 'pattern', String(pattern)));
  }
}

const PLAIN_WORD = /^[A-Za-z_$][\w$]*$/;

/** Lines and columns of a node, without its leading comments. */
export function spanOf(file: ts.SourceFile, node: ts.Node): Span {
  const start = file.getLineAndCharacterOfPosition(node.getStart(file));
  const end = file.getLineAndCharacterOfPosition(node.getEnd());
  return { line: start.line + 1, column: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
}
