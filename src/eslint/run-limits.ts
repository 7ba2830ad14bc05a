import { readFileSync } from 'node:fs';
import { absolutePath } from '../audit/file-path.js';
import { readRunLimits } from '../audit/run-limits.js';
import { runLimitFiles } from './run-limit-files.js';

/** After how many milliseconds the platform ends a run of a file's functions, as the configurations above the file say. Asked for few findings, and read anew each time: they change while an editor lives. */
export function runLimit(path: string): number | undefined {
  const absolute = absolutePath('.', path);
  return readRunLimits(runLimitFiles(absolute), (file) => readFileSync(file, 'utf8'))(absolute);
}
