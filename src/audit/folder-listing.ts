import { readdirSync, type Dirent } from 'node:fs';
import { digestOf } from './digest.js';
import { isSourcePath } from './file-kind.js';

/** Files whose place in a tree says how imports are resolved. */
export const CONFIG_FILE = /(?:^|\/)(?:package|[jt]sconfig(?:\.[^/]+)?)\.json$/;

/** The entries of a folder, undefined where it cannot be listed. */
export function entriesOf(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** What a folder holds of what an audit looks at, in short: a log or a report that is written into it changes nothing. */
export function listingDigest(entries: readonly Dirent[] | undefined): string {
  if (entries === undefined) return 'unreadable';
  return digestOf(entries.flatMap((entry) => {
    const { name } = entry;
    if (name === 'node_modules') return [];
    const kind = entry.isDirectory() ? 'd' : entry.isSymbolicLink() ? 'l' : 'f';
    return kind !== 'f' || isSourcePath(name) || CONFIG_FILE.test(name) || name === '.gitignore' || name === '.git' ? `${kind}${name}` : [];
  }).sort().join('\0'));
}
