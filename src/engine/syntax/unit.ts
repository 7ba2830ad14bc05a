import type ts from 'typescript';
import { noteRead } from '../kept.js';
import { NO_MODELS, type Models } from '../models.js';
import type { Place, Span } from '../place.js';
import type { Project } from '../project.js';
import { createScopes, type Scopes } from './scope.js';
import { quickly, type Ts } from './typescript.js';

/** One file under judgement: its tree, its scopes and the way to other files. */
export interface Unit {
  readonly ts: Ts;
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
  /** The paths of those files, none of them read: for names that may be in too many of them. */
  mentionedIn(name: string): readonly string[] | undefined;
  unitAt(path: string): Unit | undefined;
  placeOf(node: ts.Node): Place;
}

/** Makes units and keeps one a path, so that nodes and bindings of a file are the same objects for all who ask. */
export interface Units {
  of(file: ts.SourceFile): Unit;
  at(path: string): Unit | undefined;
}

export function createUnits(given: Ts, project: Project, models: Models = NO_MODELS): Units {
  const ts = quickly(given);
  const run = {};
  const known = new Map<string, Unit>();
  const units: Units = {
    of(file) {
      const held = known.get(file.fileName);
      if (held?.file === file) return held;
      const unit = createUnit({ ts, file, project, units, models, run });
      known.set(file.fileName, unit);
      return unit;
    },
    at(path) {
      const held = known.get(path);
      if (held !== undefined) return held;
      const file = project.file(path);
      return file === undefined ? undefined : units.of(file);
    },
  };
  return units;
}

interface Surroundings {
  readonly ts: Ts;
  readonly file: ts.SourceFile;
  readonly project: Project;
  readonly units: Units;
  readonly models: Models;
  readonly run: object;
}

function createUnit({ ts, file, project, units, models, run }: Surroundings): Unit {
  let scopes: Scopes | undefined;
  const resolved = new Map<string, string | undefined>();
  return {
    ts,
    file,
    path: file.fileName,
    models,
    run,
    get scopes() {
      return (scopes ??= createScopes(ts, file));
    },
    importOf(specifier) {
      if (!resolved.has(specifier)) resolved.set(specifier, project.resolve(file.fileName, specifier));
      const path = resolved.get(specifier);
      if (path !== undefined) noteRead(path);
      return path === undefined ? undefined : units.at(path);
    },
    mentionedIn(name) {
      noteRead(`?${name}`);
      const paths = project.filesMentioning(name);
      return paths === 'cannot-say' ? undefined : paths;
    },
    unitAt(path) {
      noteRead(path);
      return units.at(path);
    },
    mentioning(name) {
      noteRead(`?${name}`);
      const paths = project.filesMentioning(name);
      return paths === 'cannot-say' ? undefined : paths.flatMap((path) => {
        noteRead(path);
        return units.at(path) ?? [];
      });
    },
    placeOf: (node) => ({ file: file.fileName, ...spanOf(file, node) }),
  };
}

/** Lines and columns of a node, without its leading comments. */
export function spanOf(file: ts.SourceFile, node: ts.Node): Span {
  const start = file.getLineAndCharacterOfPosition(node.getStart(file));
  const end = file.getLineAndCharacterOfPosition(node.getEnd());
  return { line: start.line + 1, column: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
}
