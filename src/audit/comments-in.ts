import type { Project } from '../engine/project.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { exceptionComments } from '../exceptions/comments.js';
import type { DeclaredException } from '../exceptions/declared.js';
import { DIRECTIVE_WORD } from '../exceptions/directive.js';

/** The exceptions in the comments of files, given by path and text. Only a file that holds the word is looked at. */
export function commentsIn(typescript: Ts, files: ReadonlyMap<string, string>, project: Project): DeclaredException[] {
  return [...files].flatMap(([path, text]) => {
    const file = text.includes(DIRECTIVE_WORD) ? project.file(path) : undefined;
    return file === undefined ? [] : exceptionComments(typescript, file);
  });
}
