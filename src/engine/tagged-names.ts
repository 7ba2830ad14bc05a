import type ts from 'typescript';
import { NO_PROJECT } from './project.js';
import { docComments } from './syntax/doc-comments.js';
import type { Ts } from './syntax/typescript.js';
import { createUnits } from './syntax/unit.js';
import { TAGS_OF_CALLS } from './tag-words.js';

/** The names of functions of a file whose calls are judged because a tag says so. */
export function taggedNames(ts: Ts, file: ts.SourceFile): readonly string[] {
  const { functions } = docComments(createUnits(ts, NO_PROJECT).of(file));
  return functions.filter((fn) => fn.tags.some((t) => TAGS_OF_CALLS.includes(t.name)) && /^[A-Za-z_$][\w$]*$/.test(fn.name)).map((fn) => fn.name);
}

/** A test for texts that mention one of the names as a whole word. */
export function mentionTest(names: readonly string[]): (text: string) => boolean {
  if (names.length === 0) return () => false;
  const pattern = new RegExp(`(?<![\\w$])(?:${[...new Set(names)].map((n) => n.replaceAll('$', '\\$')).join('|')})(?![\\w$])`);
  return (text) => pattern.test(text);
}
