import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { digestOf } from '../audit/digest.js';
import { foldersAbove } from '../audit/file-path.js';
import { RUN_LIMITS_FILE } from '../audit/run-limits-file.js';

/** The configurations above a file that may say how long a run may take. The path is absolute, with `/`. */
export function runLimitFiles(path: string): string[] {
  return foldersAbove(path).map((folder) => posix.join(folder, RUN_LIMITS_FILE)).filter((file) => existsSync(file));
}

/** What those above some files say, in short; empty where there are none. */
export function runLimitsStamp(paths: readonly string[]): string {
  const files = [...new Set(paths.flatMap(runLimitFiles))];
  return files.length === 0 ? '' : digestOf(files.map((file) => `${file}\0${readFileSync(file, 'utf8')}`).join('\0'));
}
