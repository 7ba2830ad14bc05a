import type ts from 'typescript';
import { createWordIndex } from '../audit/word-index.js';
import type { Project } from '../engine/project.js';
import { isDocTag } from '../engine/syntax/doc-tag-names.js';
import { mayTagCalls } from '../engine/tag-words.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { moduleResolver } from './module-resolver.js';

/** What of the project port a linter's program tells. */
export interface ProgramProject extends Omit<Project, 'runLimit' | 'text'> {
  /** The files it reaches, by path. */
  readonly own: ReadonlyMap<string, ts.SourceFile>;
  /** Those that may tag the calls of a function. */
  tagged(): readonly ts.SourceFile[];
}

/** How the project of a program is had. */
export type ProgramProjects = (ts: Ts, program: ts.Program) => ProgramProject;

/**
 * Only the program's own sources are reachable, neither declarations nor packages, as in the audit. One port a program: a program never changes, an edit makes a new
 * one. Nothing is read or indexed before it is asked for.
 */
export function programProject(ts: Ts, program: ts.Program): ProgramProject {
  let project = projects.get(program);
  if (project === undefined) {
    project = createProject(ts, program);
    projects.set(program, project);
  }
  return project;
}

const projects = new WeakMap<ts.Program, ProgramProject>();

function createProject(ts: Ts, program: ts.Program): ProgramProject {
  const own = ownFiles(program);
  const resolve = moduleResolver(ts, program);
  const mentioning = createWordIndex([...own.keys()], (path) => own.get(path)?.text);
  const withTag = new Map<string, readonly string[]>();
  let tagging: readonly ts.SourceFile[] | undefined;

  return {
    own,
    file: ownFile,
    resolve(fromPath, specifier) {
      const path = resolve(fromPath, specifier);
      return path === undefined ? undefined : ownFile(path)?.fileName;
    },
    tagged,
    filesMentioning: (name) => (isDocTag(name) ? holding(`@${name}`) : mentioning(name)),
  };

  function ownFile(path: string): ts.SourceFile | undefined {
    const found = own.get(path);
    if (found !== undefined) return found;
    // Paths that differ in case, on systems where that is no difference.
    const file = program.getSourceFile(path);
    return file && own.get(file.fileName);
  }

  function tagged(): readonly ts.SourceFile[] {
    return (tagging ??= [...own.values()].filter((file) => mayTagCalls(file.text)));
  }

  /** Most programs hold no tag: asked for each of them, the index would be built for nothing. */
  function holding(tag: string): readonly string[] {
    let found = withTag.get(tag);
    if (found === undefined) {
      found = [...own].filter(([, file]) => file.text.includes(tag)).map(([path]) => path);
      withTag.set(tag, found);
    }
    return found;
  }
}

/** In the order of an audit, so that both see the same of them first. */
function ownFiles(program: ts.Program): ReadonlyMap<string, ts.SourceFile> {
  const files = program.getSourceFiles().filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/') && !program.isSourceFileFromExternalLibrary(file));
  return new Map(files.map((file) => [file.fileName, file] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}
