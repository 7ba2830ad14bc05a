import type ts from 'typescript';
import type { EngineError } from '../engine/judge/site.js';
import { adopt } from '../engine/syntax/adopt.js';
import type { Ts } from '../engine/syntax/typescript.js';

/** Parses a text as the engine wants it: parents set, not bound, comments left in the text. */
export function parseSource(typescript: Ts, path: string, text: string): ts.SourceFile {
  const file = parsed(false);
  try {
    adopt(typescript, file);
    return file;
  } catch (error) {
    // Nested too deeply to be walked: whoever judges it will say so.
    if (!(error instanceof RangeError)) throw error;
    return parsed(true);
  }

  function parsed(withParents: boolean): ts.SourceFile {
    return typescript.createSourceFile(path, text, { languageVersion: typescript.ScriptTarget.Latest, jsDocParsingMode: typescript.JSDocParsingMode.ParseNone }, withParents);
  }
}

/** The first syntax error of a file as an entry for the report; `undefined` for a sound file. */
export function syntaxError(typescript: Ts, file: ts.SourceFile): EngineError | undefined {
  // `parseDiagnostics` is filled by the parser and read by every TypeScript tool, but is not in the public type.
  const { parseDiagnostics } = file as ts.SourceFile & { readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };
  const first = parseDiagnostics?.[0];
  if (first === undefined) return undefined;
  const { line } = file.getLineAndCharacterOfPosition(first.start);
  const told = typescript.flattenDiagnosticMessageText(first.messageText, ' ').replace(/\.$/, '');
  return { file: file.fileName, line: line + 1, message: `Syntax error: ${told}. The rest of the file was judged as far as it could be read.` };
}
