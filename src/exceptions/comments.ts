import type ts from 'typescript';
import type { Ts } from '../engine/syntax/typescript.js';
import type { DeclaredException } from './declared.js';
import { DIRECTIVE_WORD, readDirective } from './directive.js';

/**
 * The exceptions in the comments of a file, in their order. Comments are what TypeScript's scanner takes for some: the same words in a string, a
 * template, a regular expression or the text of an element say nothing.
 * @param file Parsed with its parents set.
 */
export function exceptionComments(typescript: Ts, file: ts.SourceFile): DeclaredException[] {
  const { text } = file;
  if (!text.includes(DIRECTIVE_WORD)) return [];
  const tokens = tokensOf(typescript, file);
  const seen = new Set<number>();
  return tokens.flatMap((token) => commentsBefore(typescript, text, token).flatMap(({ pos, end }) => {
    if (seen.has(pos)) return [];
    seen.add(pos);
    const closed = text.startsWith('/*', pos) && text.startsWith('*/', end - 2);
    const directive = readDirective(text.slice(pos + 2, closed ? end - 2 : end));
    if (directive === undefined) return [];
    const { where, rules, ...said } = directive;
    const line = lineAt(file, pos);
    const covered = where === 'line' ? line : nextLine(file, tokens, end);
    return (rules.length === 0 ? [''] : rules).map((rule): DeclaredException => (
      { rule, source: 'comment', file: file.fileName, line, ...said, covers: { kind: 'line', file: file.fileName, line: covered } }
    ));
  }));
}

/** How a comment before a line has to be written: `none` where the line begins within a text that knows no comments. */
export type CommentForm = 'line' | 'element' | 'none';

/** @param line Counted from 1. */
export function commentFormAt(typescript: Ts, file: ts.SourceFile, line: number): CommentForm {
  const position = file.getLineStarts()[line - 1];
  if (position === undefined) return 'none';
  const around = tokensOf(typescript, file).find((token) => token.end > position && (token.isText ? token.start <= position : token.start < position));
  if (around === undefined) return 'line';
  return around.isText ? 'element' : 'none';
}

/** A word or sign of the language with the white space and comments before it. */
interface Token { readonly pos: number; readonly start: number; readonly end: number; readonly isText: boolean }

/** All tokens in order. Depth is no matter: the trees of long chains are deeper than the stack. */
function tokensOf(typescript: Ts, file: ts.SourceFile): Token[] {
  const tokens: Token[] = [];
  const left: ts.Node[] = [file];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    // Comments of documentation are nodes in some parses, and belong to the token behind them in all.
    const children = node.getChildren(file).filter((child) => child.kind < typescript.SyntaxKind.FirstJSDocNode || child.kind > typescript.SyntaxKind.LastJSDocNode);
    if (children.length === 0 && node.kind !== typescript.SyntaxKind.SyntaxList) tokens.push(tokenOf(typescript, file, node));
    for (let at = children.length - 1; at >= 0; at--) left.push(...children.slice(at, at + 1));
  }
  return tokens;
}

/** The text of an element has no comments: all of it is text. */
function tokenOf(typescript: Ts, file: ts.SourceFile, node: ts.Node): Token {
  const isText = node.kind === typescript.SyntaxKind.JsxText;
  return { pos: node.pos, start: isText ? node.pos : node.getStart(file, false), end: node.end, isText };
}

/** Those on the line of what stands before the token among them. */
function commentsBefore(typescript: Ts, text: string, { pos, start }: Token): readonly ts.CommentRange[] {
  if (start === pos) return [];
  const trailing = pos === 0 ? [] : typescript.getTrailingCommentRanges(text, pos) ?? [];
  const leading = typescript.getLeadingCommentRanges(text, pos) ?? [];
  return [...trailing, ...leading].filter((range) => range.end <= start);
}

/** The line of the first code behind the line on which a comment ends: blank lines and further comments are passed over. */
function nextLine(file: ts.SourceFile, tokens: readonly Token[], end: number): number {
  const last = lineAt(file, end);
  const next = tokens.find((token) => token.start >= end && token.end > token.start && file.text.slice(token.start, token.end).trim() !== '' && lineAt(file, token.start) > last);
  return next === undefined ? last + 1 : lineAt(file, next.start);
}

function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}
