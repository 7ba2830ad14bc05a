import type ts from 'typescript';
import type { EngineError } from '../engine/judge/site.js';
import type { Ts } from '../engine/syntax/typescript.js';

/**
 * The TypeScript copy that ts-morph carries, loaded on first use: it costs half a second that `--help` should not pay. Nodes are parsed with
 * it directly. Its wrappers are not used here: they cost seven times the walk, and an edit is the only thing that needs them.
 */
export async function loadTypeScript(): Promise<Ts> {
  const { ts: bundled } = await import('ts-morph');
  // The one port between the two copies: ts-morph's namespace has the same shape (6.0.2 for 6.0.3) but nominally other enums.
  return bundled as unknown as Ts;
}

/** Parses a text as the engine wants it: parents set, not bound, comments left in the text. */
export function parseSource(typescript: Ts, path: string, text: string): ts.SourceFile {
  return typescript.createSourceFile(
    path,
    text,
    { languageVersion: typescript.ScriptTarget.Latest, jsDocParsingMode: typescript.JSDocParsingMode.ParseNone },
    true,
  );
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
