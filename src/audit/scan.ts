import { mayTagCalls } from '../engine/tag-words.js';
import { DIRECTIVE_WORD } from '../exceptions/directive.js';
import { isTagged } from './affected.js';
import { digestOf } from './digest.js';
import type { FoundFile, SkippedPath } from './discover.js';
import { LEFT_OUT_REASONS, isGeneratedText, isTestText } from './file-kind.js';
import type { FileTree } from './file-tree.js';
import { IGNORED_REASON } from './ignored.js';
import { Texts } from './texts.js';

/** What one reading of a file told: kept, it spares the next run that reading. */
export type FileFacts =
  | { readonly left: string }
  | {
    readonly digest: string;
    /** It may hold a subject. */
    readonly candidate: boolean;
    /** It may hold a tag, a tag that speaks of calls elsewhere, an exception in a comment. */
    readonly tagged: boolean;
    readonly tagsCalls: boolean;
    readonly excepts: boolean;
  };

export interface ScanOptions {
  readonly files: readonly FoundFile[];
  readonly tree: FileTree;
  readonly isIgnored: (path: string) => boolean;
  readonly isCandidate: (text: string) => boolean;
  readonly include: { readonly generated: boolean; readonly test: boolean };
  /** What is known of a file that has not changed since. */
  readonly known: (path: string) => FileFacts | undefined;
}

export interface Scanned {
  /** The files that may hold a subject. */
  readonly candidates: Texts;
  /** All files that count, in the order in which they were found. */
  readonly scanned: readonly string[];
  readonly skipped: readonly SkippedPath[];
  readonly facts: ReadonlyMap<string, FileFacts>;
  /** The text of another file, where it was read just now and there is room for it: what mentions a name is asked of all files. */
  readonly textAtHand: (path: string) => string | undefined;
}

/** So many characters of files that are no candidates are kept, whatever the size of the tree. */
const MOST_AT_HAND = 1 << 25;

/** Reads the files that are not known, and tells which may hold a subject. */
export function scan(options: ScanOptions): Scanned {
  const { tree } = options;
  const candidates = new Texts((path) => {
    const source = tree.read(path);
    return source !== 'gone' && 'text' in source ? source.text : '';
  });
  const scanned: string[] = [];
  const skipped: SkippedPath[] = [];
  const facts = new Map<string, FileFacts>();
  const atHand = new Map<string, string>();
  let room = MOST_AT_HAND;
  for (const file of options.files) {
    const { path } = file;
    if (!file.named && options.isIgnored(path)) {
      skipped.push({ path, reason: IGNORED_REASON });
      continue;
    }
    const known = options.known(path) ?? read(file);
    if (known === undefined) continue;
    facts.set(path, known);
    if ('left' in known) {
      skipped.push({ path, reason: known.left });
      continue;
    }
    scanned.push(path);
    if (known.candidate && !candidates.has(path)) candidates.add(path);
  }
  return { candidates, scanned, skipped, facts, textAtHand: (path) => atHand.get(path) };

  function read({ path, named }: FoundFile): FileFacts | undefined {
    const source = tree.read(path);
    if (source === 'gone') return undefined;
    if ('reason' in source) return { left: source.reason };
    const { text } = source;
    if (!named && !options.include.generated && isGeneratedText(path, text)) return { left: LEFT_OUT_REASONS.generated };
    if (!named && !options.include.test && isTestText(text)) return { left: LEFT_OUT_REASONS.test };
    const candidate = options.isCandidate(text);
    if (candidate) candidates.set(path, text);
    else if ((room -= text.length) > 0) atHand.set(path, text);
    return { digest: digestOf(text), candidate, tagged: isTagged(text), tagsCalls: candidate && mayTagCalls(text), excepts: candidate && text.includes(DIRECTIVE_WORD) };
  }
}
