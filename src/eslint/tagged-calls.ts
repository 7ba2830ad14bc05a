import type ts from 'typescript';
import { mentionTest, taggedNames } from '../engine/tagged-names.js';
import type { LintContext } from './lint-context.js';
import type { ProgramProjects } from './program-project.js';
import { readSourceFile } from './source-file.js';

/** Whether a file without a telling word calls a function that a tag elsewhere in the program speaks of. Without a program there is no elsewhere. */
export function mayCallTagged(context: LintContext, projectOf: ProgramProjects): boolean {
  const program = context.sourceCode.parserServices?.program;
  if (!program) return false;
  const test = known.get(program) ?? testFor(context, projectOf);
  return test?.(context.sourceCode.text) ?? false;
}

const known = new WeakMap<ts.Program, (text: string) => boolean>();

function testFor(context: LintContext, projectOf: ProgramProjects): ((text: string) => boolean) | undefined {
  const source = readSourceFile(context);
  if (source?.program === undefined) return undefined;
  const { ts, program } = source;
  const test = mentionTest(projectOf(ts, program).tagged().flatMap((file) => taggedNames(ts, file)));
  known.set(program, test);
  return test;
}
