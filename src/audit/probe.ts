import { statSync } from 'node:fs';
import { posix } from 'node:path';
import { isSourcePath, kindOfPath } from './file-kind.js';

/** Finds the source file an extensionless or compiled name stands for. Absolute paths with `/`. */
export type Probe = (path: string) => string | undefined;

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'] as const;

/** What a compiled extension may have been written as: TypeScript asks for `./x.js` where the file is `./x.ts`. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx'],
  '.jsx': ['.tsx', '.jsx'],
  '.mjs': ['.mts', '.mjs'],
  '.cjs': ['.cts', '.cjs'],
};

/** A probe that asks the tree once a path. Declaration files are no answer: they hold no code. */
export function createProbe(isFileThere: (path: string) => boolean = isFileOnDisk): Probe {
  const seen = new Map<string, boolean>();
  const answers = new Map<string, string | undefined>();

  return (path) => {
    if (!answers.has(path)) answers.set(path, search(path));
    return answers.get(path);
  };

  function search(path: string): string | undefined {
    return candidates(path).find((candidate) => isSourcePath(candidate) && kindOfPath(posix.basename(candidate)) !== 'declaration' && isFile(candidate));
  }

  function isFile(path: string): boolean {
    let answer = seen.get(path);
    if (answer === undefined) {
      answer = isFileThere(path);
      seen.set(path, answer);
    }
    return answer;
  }
}

/** Whether a file lies at the path. */
export function isFileOnDisk(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A path through a file (`style.css/index.ts`), a name that is too long, a folder that may not be entered: no file for us.
    return false;
  }
}

function candidates(path: string): string[] {
  const extension = posix.extname(path);
  const stem = path.slice(0, path.length - extension.length);
  return [
    ...(WRITTEN_AS[extension]?.map((written) => stem + written) ?? [path]),
    ...EXTENSIONS.map((written) => path + written),
    ...EXTENSIONS.map((written) => posix.join(path, `index${written}`)),
  ];
}
