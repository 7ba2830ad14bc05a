// Which files ESLint lints: those of the TypeScript project, so that typed and untyped runs and tsc read the same sources.
import { spawnSync } from 'node:child_process';
import { dirname, relative, resolve } from 'node:path';
import { sourceFiles } from './scratch-tree.mjs';

/** Files of the project under its folder, relative to it; where the project does not open, the sources that lie there. */
export function projectFiles(tsc, folder, tsconfig) {
  const shown = spawnSync(process.execPath, [tsc, '-p', tsconfig, '--showConfig'], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  // They are told relative to the project file, wherever that is.
  const home = dirname(resolve(folder, tsconfig));
  const files = filesIn(shown.stdout).map((file) => relative(folder, resolve(home, file))).filter((file) => !file.startsWith('..') && !/node_modules|\.d\.[cm]?ts$/.test(file));
  return files.length > 0 ? files : sourceFiles(folder, '.');
}

function filesIn(text) {
  try {
    return JSON.parse(text).files ?? [];
  } catch {
    return [];
  }
}
