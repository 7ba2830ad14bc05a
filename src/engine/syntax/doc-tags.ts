import type ts from 'typescript';
import { commentsBefore } from './doc-comments.js';
import type { Unit } from './unit.js';

/** The text behind a tag in the comment before a function (`@requiresLock stepId` gives `stepId`); undefined where there is no such tag. */
export function docTag(unit: Unit, fn: ts.Node, tag: string): string | undefined {
  const { ts } = unit;
  const { text } = unit.file;
  // An arrow's comment stands before its declaration.
  for (let n: ts.Node = fn; !ts.isSourceFile(n); n = n.parent) {
    for (const range of commentsBefore(unit, n)) {
      const found = new RegExp(`(?<=(?:^/\\*\\*?|^//|\\n)[ \\t]*(?:\\*[ \\t]*)?)@${tag}\\b[ \\t]*([^\\n*]*)`).exec(text.slice(range.pos, range.end));
      if (found !== null) return (found[1] ?? '').trim();
    }
    if (n !== fn && (ts.isStatement(n) || ts.isClassElement(n))) return undefined;
    if (ts.isFunctionDeclaration(n) || ts.isMethodDeclaration(n)) return undefined;
  }
  return undefined;
}
