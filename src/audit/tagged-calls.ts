import { mentionTest, taggedNames } from '../engine/tagged-names.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { parseSource } from './parse.js';
import type { FileTree } from './file-tree.js';
import type { Scanned } from './scan.js';

/**
 * The files without a telling word that call a function which a tag speaks of, with their text. Read again only where there are such tags.
 * @param tagging The files that may hold such a tag.
 */
export function* taggedCalls(typescript: Ts, tagging: readonly string[], { candidates, scanned }: Pick<Scanned, 'candidates' | 'scanned'>, tree: FileTree): Iterable<[path: string, text: string]> {
  const names = tagging.flatMap((path) => taggedNames(typescript, parseSource(typescript, path, candidates.get(path) ?? '')));
  if (names.length === 0) return;
  const mentions = mentionTest(names);
  for (const path of scanned) {
    if (candidates.has(path)) continue;
    const source = tree.read(path);
    if (source !== 'gone' && 'text' in source && mentions(source.text)) yield [path, source.text];
  }
}
