import { readdirSync, type Dirent } from 'node:fs';
import { digestOf } from './digest.js';
import { isSourcePath } from './file-kind.js';

/** Files that say how imports are resolved, or how long the platform lets a function run. */
export const CONFIG_FILE = /(?:^|\/)(?:package|vercel|[jt]sconfig(?:\.[^/]+)?)\.json$/;

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
