import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const SOURCE = /\.[cm]?[jt]sx?$/;
const LARGEST = 200_000;

/** Lock and store libraries, where the words the engine looks for are thick: every file of them. */
const WHOLE = ['ioredis', 'redlock', 'redis-semaphore', 'pg', 'knex', 'mongodb', 'sequelize'];

/**
 * Source files of node_modules: all of the lock and store libraries, and every n-th of the rest. The count is fixed, so the same install
 * gives the same files. `STEP_LOCK_ROBUSTNESS=all` takes every file, which takes minutes.
 */
export function installedSources(): string[] {
  const all = readdirSync(NODE_MODULES, { recursive: true, encoding: 'utf8' }).filter((name) => SOURCE.test(name)).sort();
  const isWhole = (name: string): boolean => WHOLE.some((library) => name.startsWith(`${library}/`));
  const every = process.env['STEP_LOCK_ROBUSTNESS'] === 'all' ? 1 : 5;
  const sample = all.filter((name) => !isWhole(name)).filter((_, index) => index % every === 0);
  return [...all.filter(isWhole), ...sample].map((name) => join(NODE_MODULES, name)).filter(isReadable);
}

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function isReadable(path: string): boolean {
  const { size } = statSync(path);
  return statSync(path).isFile() && size <= LARGEST;
}
