import type { Discovery } from './discover.js';
import { isSourcePath } from './file-kind.js';
import type { OtherVersion } from './file-tree.js';
import { CONFIG_FILE } from './folder-listing.js';

/** Whether another version of a tree has the very files that were found of the tree: then nothing has to be listed anew. False also where that cannot be told without a look. */
export function hasSameFiles(found: Discovery, other: OtherVersion): boolean {
  const known = new Set([...found.files.map(({ path }) => path), ...found.skipped.map(({ path }) => path), ...found.configFiles]);
  return [...other].every(([path, bytes]) => (known.has(path) ? bytes !== undefined : !isSourcePath(path) && !CONFIG_FILE.test(path)));
}
