import type ts from 'typescript';
import { mayTagCalls, mentionTest, taggedNames } from '../engine/tagged-names.js';
import type { LintContext } from './lint-context.js';
import { programProject } from './program-project.js';
import { readSourceFile } from './source-file.js';

/** Whether a file without a telling word calls a function that a tag elsewhere in the program speaks of. Without a program there is no elsewhere. */
export function mayCallTagged(context: LintContext): boolean {
  if (!context.sourceCode.parserServices?.program) return false;
  const source = readSourceFile(context);
  if (source?.program === undefined) return false;
  const { ts: typescript, program } = source;
  let test = known.get(program);
  if (test === undefined) {
    const project = programProject(typescript, program);
    const tagged = program.getSourceFiles().filter((file) => mayTagCalls(file.text) && project.file(file.fileName) === file);
    test = mentionTest(tagged.flatMap((file) => taggedNames(typescript, file)));
    known.set(program, test);
  }
  return test(context.sourceCode.text);
}

const known = new WeakMap<ts.Program, (text: string) => boolean>();
