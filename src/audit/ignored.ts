import ignore from 'ignore';
import { absolutePath, isWithin, relativePath } from './file-path.js';

/** Why such a file was left out. */
export const IGNORED_REASON = 'left out by `ignore` of the configuration';

/** Whether the user's patterns leave a file out (absolute, with `/`). */
export function ignoreTest(ignored: { readonly folder: string; readonly patterns: readonly string[] } | undefined): (path: string) => boolean {
  if (ignored === undefined) return () => false;
  const folder = absolutePath(ignored.folder, '.');
  const patterns = ignore().add(ignored.patterns);
  return (path) => isWithin(folder, path) && patterns.ignores(relativePath(folder, path));
}
