import { mayTagCalls, mentionTest, taggedNames } from '../engine/tagged-names.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { parseSource } from './parse.js';
import type { FileTree } from './file-tree.js';

/** The files without a telling word that call a function which a tag speaks of, with their text. Read again only where there are such tags. */
export function* taggedCalls(typescript: Ts, candidates: ReadonlyMap<string, string>, scanned: readonly string[], tree: FileTree): Iterable<[path: string, text: string]> {
  const names = [...candidates].flatMap(([path, text]) => (mayTagCalls(text) ? taggedNames(typescript, parseSource(typescript, path, text)) : []));
  if (names.length === 0) return;
  const mentions = mentionTest(names);
  for (const path of scanned) {
    if (candidates.has(path)) continue;
    const source = tree.read(path);
    if (source !== 'gone' && 'text' in source && mentions(source.text)) yield [path, source.text];
  }
}
