import type ts from 'typescript';
import type { Project } from '../engine/project.js';
import type { Ts } from '../engine/syntax/typescript.js';

/**
 * The project port over a linter's program. Only the program's own sources are reachable, neither declarations nor packages, as in the
 * audit. One port a program: a program never changes, an edit makes a new one.
 */
export function programProject(ts: Ts, program: ts.Program): Project {
  let project = projects.get(program);
  if (project === undefined) {
    project = createProject(ts, program);
    projects.set(program, project);
  }
  return project;
}

const projects = new WeakMap<ts.Program, Project>();

function createProject(ts: Ts, program: ts.Program): Project {
  // Files of a program get their parents from the binder, and the binder runs when the checker is made.
  program.getTypeChecker();
  const options = program.getCompilerOptions();
  const resolutions = ts.createModuleResolutionCache(program.getCurrentDirectory(), (name) => name, options);
  const own = program.getSourceFiles().filter((file) => isOwn(program, file));
  const mentions = new Map<string, readonly string[]>();

  return {
    file: ownFile,
    resolve(fromPath, specifier) {
      const mode = program.getSourceFile(fromPath)?.impliedNodeFormat;
      const { resolvedModule } = ts.resolveModuleName(specifier, fromPath, options, ts.sys, resolutions, undefined, mode);
      return resolvedModule === undefined ? undefined : ownFile(resolvedModule.resolvedFileName)?.fileName;
    },
    filesMentioning(name) {
      let found = mentions.get(name);
      if (found === undefined) {
        const word = wholeWord(name);
        found = own.filter((file) => file.text.includes(name) && word.test(file.text)).map((file) => file.fileName);
        mentions.set(name, found);
      }
      return found;
    },
  };

  function ownFile(path: string): ts.SourceFile | undefined {
    const file = program.getSourceFile(path);
    return file !== undefined && isOwn(program, file) ? file : undefined;
  }
}

function isOwn(program: ts.Program, file: ts.SourceFile): boolean {
  return !file.isDeclarationFile && !program.isSourceFileFromExternalLibrary(file) && !file.fileName.includes('/node_modules/');
}

/** Not `\b`: a name may begin or end with `$`. */
function wholeWord(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w$])`);
}
