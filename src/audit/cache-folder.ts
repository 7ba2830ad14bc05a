import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { foldersAbove, absolutePath } from './file-path.js';

/**
 * Where the cache lies: where the user says, else where tools keep such things and CI looks for them, else in git's own folder, else in the user's folder for caches.
 * Nothing may turn up among the sources. Undefined: there is no such place, and nothing is kept.
 * @param named As the user wrote it, seen from `cwd`.
 */
export function cacheFolder(cwd: string, env: Readonly<Record<string, string | undefined>>, named?: string): string | undefined {
  if (named !== undefined) return resolve(cwd, named);
  if (isFolder(resolve(cwd, 'node_modules'))) return resolve(cwd, 'node_modules/.cache/step-lock');
  return gitFolder(cwd) ?? userFolder(env);
}

/** The folder of the work tree in git's own; a linked work tree and a submodule have a file that names it. */
function gitFolder(cwd: string): string | undefined {
  const here = absolutePath(cwd, '.');
  for (const folder of [here, ...foldersAbove(here)]) {
    const path = join(folder, '.git');
    if (isFolder(path)) return join(path, 'step-lock');
    try {
      const named = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
      if (named !== undefined) return join(resolve(folder, named.trim()), 'step-lock');
    } catch {
      // No file either: look further up.
    }
  }
  return undefined;
}

function userFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const said = env['XDG_CACHE_HOME'];
  if (said !== undefined && said !== '') return join(said, 'step-lock');
  if (process.platform === 'win32') return env['LOCALAPPDATA'] === undefined ? undefined : join(env['LOCALAPPDATA'], 'step-lock', 'Cache');
  const home = env['HOME'];
  if (home === undefined || home === '') return undefined;
  return process.platform === 'darwin' ? join(home, 'Library', 'Caches', 'step-lock') : join(home, '.cache', 'step-lock');
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
