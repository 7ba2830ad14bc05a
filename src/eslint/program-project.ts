import type ts from 'typescript';
import { createWordIndex } from '../audit/word-index.js';
import type { Project } from '../engine/project.js';
import { isDocTag } from '../engine/syntax/doc-comments.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { moduleResolver } from './module-resolver.js';
import { runLimit } from './run-limits.js';

/** The project port over a linter's program. */
export interface ProgramProject extends Project {
  /** The files it reaches, by path. */
  readonly own: ReadonlyMap<string, ts.SourceFile>;
}

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
  // Files of a program get their parents from the binder, and the binder runs when the checker is made.
  program.getTypeChecker();
  const own = ownFiles(program);
  const resolve = moduleResolver(ts, program);
  const mentioning = createWordIndex([...own.keys()], (path) => own.get(path)?.text);
  const tagged = new Map<string, readonly string[]>();

  return {
    own,
    file: ownFile,
    resolve(fromPath, specifier) {
      const path = resolve(fromPath, specifier);
      return path === undefined ? undefined : ownFile(path)?.fileName;
    },
    runLimit,
    filesMentioning: (name) => (isDocTag(name) ? holding(`@${name}`) : mentioning(name)),
  };

  function ownFile(path: string): ts.SourceFile | undefined {
    const found = own.get(path);
    if (found !== undefined) return found;
    // Paths that differ in case, on systems where that is no difference.
    const file = program.getSourceFile(path);
    return file && own.get(file.fileName);
  }

  /** Most programs hold no tag: asked for each of them, the index would be built for nothing. */
  function holding(tag: string): readonly string[] {
    let found = tagged.get(tag);
    if (found === undefined) {
      found = [...own].filter(([, file]) => file.text.includes(tag)).map(([path]) => path);
      tagged.set(tag, found);
    }
    return found;
  }
}

/** In the order of an audit, so that both see the same of them first. */
function ownFiles(program: ts.Program): ReadonlyMap<string, ts.SourceFile> {
  const files = program.getSourceFiles().filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/') && !program.isSourceFileFromExternalLibrary(file));
  return new Map(files.map((file) => [file.fileName, file] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}
