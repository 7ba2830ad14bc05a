import type ts from 'typescript';
import { digestOf } from '../audit/digest.js';
import { configDigest } from '../review/config-digest.js';
import type { Ts } from '../engine/syntax/typescript.js';
import type { FindingsFile } from './findings-file.js';
import type { KeptAsked, KeptProgram } from './kept-entry.js';
import { movedProgram, type ProgramNow } from './moved-program.js';
import { withoutShebang } from './shebang.js';
import type { Asked } from './noting-project.js';
import { programProject, type ProgramProject } from './program-project.js';

/** What is kept of a program, brought to its present state: entries that no longer stand are gone. */
export interface OpenProgram {
  readonly id: string;
  /** What a verdict asked, as it is kept; the answers are put to those of the program. Without `asked` there was nothing to judge. */
  noted(asked: Asked | undefined): KeptAsked;
}

/**
 * Opens a program for what is kept of its files.
 * @returns Undefined for a program that has no tsconfig: nothing is kept of it. With `CI` set, a file that is linted again, after a fix, is handed such a program of itself alone.
 */
export function openProgram(typeScript: Ts, program: ts.Program, file: FindingsFile): OpenProgram | undefined {
  const options = program.getCompilerOptions();
  const id = options.configFilePath;
  if (typeof id !== 'string' || id === '') return undefined;
  const current = latest.get(file) ?? new Map<string, { readonly token: object; readonly open: OpenProgram }>();
  latest.set(file, current);
  const known = current.get(id);
  // An editor has the same file read in one program after the other: what is kept is always of the one seen last.
  if (known !== undefined && known.token === tokenOf(program)) return known.open;
  const open = opened(id, programProject(typeScript, program), optionsDigest(options), file);
  current.set(id, { token: tokenOf(program), open });
  return open;
}

/** A program is not held on to: it is all of its trees. */
const latest = new WeakMap<FindingsFile, Map<string, { readonly token: object; readonly open: OpenProgram }>>();
const tokens = new WeakMap<ts.Program, object>();

function tokenOf(program: ts.Program): object {
  let token = tokens.get(program);
  if (token === undefined) tokens.set(program, (token = {}));
  return token;
}

function opened(id: string, project: ProgramProject, options: string, file: FindingsFile): OpenProgram {
  const now: ProgramNow = {
    options,
    files: new Map([...project.own].map(([path, own]) => [path, textDigest(own)])),
    textOf: (path) => project.own.get(path)?.text,
    resolve: project.resolve,
  };
  const before = file.program(id);
  const moved = before && movedProgram(before, now);
  if (moved?.isSame !== true) file.dropEntries(id, (entry, asked) => moved?.stands(entry, asked) !== true);
  const state: KeptProgram = moved?.now ?? { options, files: now.files, tagged: project.tagged().map(({ fileName }) => fileName), names: new Map(), imports: new Map() };
  const names = new Map(state.names);
  const imports = new Map([...state.imports].map(([from, answers]) => [from, new Map(answers)] as const));
  file.putProgram(id, { ...state, names, imports }, moved?.isSame === true);
  return openedAs(id, names, imports);
}

function openedAs(id: string, names: Map<string, readonly string[]>, imports: Map<string, Map<string, string | null>>): OpenProgram {
  return {
    id,
    noted(asked) {
      if (asked === undefined) return { program: id, files: [], names: [] };
      for (const [name, paths] of asked.names) names.set(name, paths);
      for (const [from, answers] of asked.imports) imports.set(from, new Map([...imports.get(from) ?? [], ...answers]));
      return { program: id, files: [...new Set([...asked.files, ...asked.imports.keys()])].sort(), names: [...asked.names.keys()].sort() };
    },
  };
}

/** Those of the compiler; beside them the tree of the file that they were read from. */
function optionsDigest({ configFile: _, ...options }: ts.CompilerOptions): string {
  return configDigest(options);
}

/** The trees of what an edit leaves as it is are those of the program before. */
const digests = new WeakMap<ts.SourceFile, string>();

function textDigest(file: ts.SourceFile): string {
  let digest = digests.get(file);
  if (digest === undefined) digests.set(file, (digest = digestOf(withoutShebang(file.text))));
  return digest;
}
