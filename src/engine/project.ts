import type ts from 'typescript';

/** The one port through which the engine reaches other files. Untyped ESLint answers `undefined` and `cannot-say`. */
export interface Project {
  /** The parsed file, parents set; `undefined` when it cannot be reached. Same path, same object. */
  file(path: string): ts.SourceFile | undefined;
  /**
   * The text of a file, where that is less work than the file: much of what is asked of others is told by a word that is not there. Undefined exactly where `file` is.
   * Left out where all files are parsed anyway.
   */
  text?(path: string): string | undefined;
  /** The file an import specifier leads to from a file; `undefined` for packages and what cannot be resolved. */
  resolve(fromPath: string, specifier: string): string | undefined;
  /** Files whose text holds the name as a whole word, or `cannot-say` where the set of files is not known. */
  filesMentioning(name: string): readonly string[] | 'cannot-say';
  /** After how many milliseconds the platform ends a run of a file's functions, by its configuration; undefined where that does not tell. */
  runLimit(path: string): number | undefined;
}

/** A project of single files: nothing is reachable. */
export const NO_PROJECT: Project = {
  file: () => undefined,
  resolve: () => undefined,
  filesMentioning: () => 'cannot-say',
  runLimit: () => undefined,
};
