import type { Project } from '../engine/project.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { exceptionComments } from '../exceptions/comments.js';
import type { DeclaredException } from '../exceptions/declared.js';

/**
 * The exceptions in the comments of files.
 * @param paths Those that may hold one.
 */
export function commentsIn(typescript: Ts, paths: readonly string[], project: Project): DeclaredException[] {
  return paths.flatMap((path) => {
    const file = project.file(path);
    return file === undefined ? [] : exceptionComments(typescript, file);
  });
}
