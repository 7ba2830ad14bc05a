import type ts from 'typescript';
import type { Ts } from '../engine/syntax/typescript.js';
import type { LintContext } from './lint-context.js';
import { withoutShebang } from './shebang.js';
import { extensionOf, type Extension } from './source-extension.js';
import { anyTypeScript, typeScriptThatMade } from './typescript-copy.js';

/** A TypeScript tree of the linted text, the copy of TypeScript it belongs to, and the program it is part of, if any. */
export interface ReadSource {
  readonly ts: Ts;
  readonly sourceFile: ts.SourceFile;
  readonly program?: ts.Program;
}

/**
 * The linted file as TypeScript sees it: the tree the parser left behind where there is one, else the text parsed here. `undefined` for
 * files that are no JavaScript or TypeScript (in Vue and Svelte the parser's TypeScript positions are not those of the file), and
 * where no usable TypeScript is installed.
 */
export function readSourceFile(context: LintContext): ReadSource | undefined {
  const extension = extensionOf(context.filename);
  if (extension === undefined) return undefined;
  const own = parsersOwn(context);
  // Files of a program get their parents from the binder, and the binder runs when the checker is made.
  own?.program?.getTypeChecker();
  return own ?? parsedHere(context, extension);
}

/** The tree that the parser left behind, where it is of the very text. */
export function parsersOwn({ sourceCode }: LintContext): ReadSource | undefined {
  const services = sourceCode.parserServices;
  const sourceFile: ts.SourceFile | undefined = services?.esTreeNodeToTSNodeMap?.get(sourceCode.ast);
  if (sourceFile === undefined || withoutShebang(sourceFile.text) !== withoutShebang(sourceCode.text)) return undefined;
  const ts = typeScriptThatMade(sourceFile);
  if (ts === undefined) return undefined;
  const program = services?.program ?? undefined;
  return program === undefined ? { ts, sourceFile } : { ts, sourceFile, program };
}

function parsedHere({ filename, cwd, sourceCode }: LintContext, extension: Extension): ReadSource | undefined {
  const ts = anyTypeScript(cwd);
  if (ts === undefined) return undefined;
  const sourceFile = ts.createSourceFile(filename, sourceCode.text, ts.ScriptTarget.Latest, true, scriptKind(ts, extension));
  return { ts, sourceFile };
}

/** A text as the tree of a file that was read: what an edit would make of it. */
export function parseLike({ ts, sourceFile }: ReadSource, text: string): ts.SourceFile {
  return ts.createSourceFile(sourceFile.fileName, text, ts.ScriptTarget.Latest, true, scriptKind(ts, extensionOf(sourceFile.fileName) ?? '.ts'));
}

/** By hand, since a file named `<input>` has no extension TypeScript could go by. */
function scriptKind(ts: Ts, extension: Extension): ts.ScriptKind {
  if (extension === '.tsx') return ts.ScriptKind.TSX;
  if (extension === '.jsx') return ts.ScriptKind.JSX;
  return extension.endsWith('ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
}
