import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The name of the file, in the working directory or a folder above. */
export const EXCEPTIONS_FILE = 'step-lock.exceptions.json';

/** The file that holds for a folder: the first on the way up from it. */
export function findExceptions(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const path = join(folder, EXCEPTIONS_FILE);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}
