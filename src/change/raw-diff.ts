/** One line of `git diff --raw -z`: names with spaces, quotes and tabs come unharmed. Paths are seen from the top of the work tree. */
export interface RawChange {
  /** The path in head; in base for a deleted file. */
  readonly path: string;
  /** The path in base; undefined for a file that is new. */
  readonly basePath: string | undefined;
  /** The content in base; undefined where there was no plain file: a new file, a symbolic link, a submodule. */
  readonly baseBlob: string | undefined;
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
}

const PLAIN_FILE = /^100/;

/** `:100644 100644 1a2b 3c4d M\0path\0`, with a second path for renames. */
export function rawChanges(raw: string): RawChange[] {
  const words = raw.split('\0');
  const found: RawChange[] = [];
  for (let at = 0; at + 1 < words.length;) {
    const [mode = '', , blob = '', , letters = ''] = (words[at] ?? '').replace(/^:/, '').split(' ');
    const baseBlob = PLAIN_FILE.test(mode) ? blob : undefined;
    const first = words[at + 1] ?? '';
    const letter = letters[0] ?? '';
    if (letter === 'R' || letter === 'C') {
      found.push({ path: words[at + 2] ?? '', basePath: first, baseBlob, status: letter === 'R' ? 'renamed' : 'added' });
      at += 3;
      continue;
    }
    at += 2;
    // A file in conflict is named twice; only its second entry has a patch.
    if (letter === 'U') continue;
    found.push({ path: first, basePath: letter === 'A' ? undefined : first, baseBlob, status: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified' });
  }
  return found;
}
