import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { absolutePath, foldersAbove } from '../audit/file-path.js';
import { readRunLimits, RUN_LIMITS_FILE } from '../audit/run-limits.js';

/** After how many milliseconds the platform ends a run of a file's functions, as the configurations above the file say. Asked for few findings, and read anew each time: they change while an editor lives. */
export function runLimit(path: string): number | undefined {
  const absolute = absolutePath('.', path);
  const manifests = foldersAbove(absolute).map((folder) => posix.join(folder, RUN_LIMITS_FILE)).filter((file) => existsSync(file));
  return readRunLimits(manifests, (file) => readFileSync(file, 'utf8'))(absolute);
}
