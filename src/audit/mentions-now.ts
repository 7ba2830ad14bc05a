import { isDocTag } from '../engine/syntax/doc-comments.js';
import type { AuditState } from './audit-state.js';
import type { Judging } from './judge-anew.js';
import { wordsOf } from './word-index.js';

/** Which files mention a name, told by what an earlier audit knew and the words of the files that changed since. */
export interface MentionsNow {
  /** Names of which it is not the same files as before. */
  readonly moved: ReadonlySet<string>;
  /** Of those the ones that some file does not mention any more. */
  readonly lost: ReadonlySet<string>;
  /** The files that mention a name, sorted; undefined for a name that was not asked for before. */
  of(name: string): readonly string[] | undefined;
}

/** Up to this number of files. */
const FEW = 8;

export function mentionsNow(previous: AuditState, changed: ReadonlySet<string>, { contents, textOf }: Pick<Judging, 'contents' | 'textOf'>): MentionsNow {
  const words = new Map([...changed].map((path) => [path, isScanned(contents[path]) ? wordsOf(textOf(path)) : new Set<string>()]));
  const moved = new Set<string>();
  const lost = new Set<string>();
  for (const [name, paths] of Object.entries(previous.mentions)) {
    // A file with a tag that changes has all files judged anew.
    if (isDocTag(name)) continue;
    // For a few files a list is searched sooner than it is made a set of.
    const before = words.size > FEW ? new Set(paths) : undefined;
    const has = (path: string): boolean => before?.has(path) ?? paths.includes(path);
    for (const [path, own] of words) {
      const isHeld = own.has(name);
      if (has(path) === isHeld) continue;
      moved.add(name);
      if (!isHeld) lost.add(name);
    }
  }
  return {
    moved,
    lost,
    of(name) {
      const before = isDocTag(name) || !Object.hasOwn(previous.mentions, name) ? undefined : previous.mentions[name];
      if (before === undefined || !moved.has(name)) return before;
      return [...before.filter((path) => !changed.has(path)), ...[...words].flatMap(([path, own]) => (own.has(name) ? [path] : []))].sort();
    },
  };
}

/** Whether a file was read as one that can be reached by the names it mentions. */
export function isScanned(content: string | undefined): boolean {
  return content !== undefined && / (?:judged|read)$/.test(content);
}
