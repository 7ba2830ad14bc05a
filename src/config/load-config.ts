import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.js';
import { ConfigMistake } from './config-mistake.js';
import { configPath } from './find-config.js';

export interface LoadedConfig {
  readonly config: Config;
  /** The folder of the file, absolute: `ignore` is told from there. Undefined where there is no file. */
  readonly folder: string | undefined;
}

/**
 * The configuration that holds for a folder: of the file named, else of the first `step-lock.config.*` on the way up from it; an empty one where there is none.
 * @param named A path as the user wrote it, seen from `cwd`.
 * @throws {ConfigMistake} for a file that is not there or cannot be read, and for the first mistake in it.
 */
export async function loadConfig(cwd: string, named?: string): Promise<LoadedConfig> {
  const path = configPath(cwd, named);
  if (path === undefined) return { config: {}, folder: undefined };
  const name = named ?? basename(path);
  // Most projects have no such file: the schemas take longer to load than a run in which little has moved.
  const { validateConfig } = await import('./validate.js');
  return { config: validateConfig(await read(path, name), name), folder: dirname(path) };
}

async function read(path: string, name: string): Promise<unknown> {
  try {
    return path.endsWith('.json') ? JSON.parse(readFileSync(path, 'utf8')) : await run(path);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] ?? '' : String(error);
    throw new ConfigMistake(`${name} cannot be read: ${why.replace(/\.$/, '')}.`, path.endsWith('.json') ? 'Mend its JSON.' : 'Make it a module whose default export is the configuration.');
  }
}

/** Runs JavaScript and TypeScript alike: Node 20 cannot import TypeScript by itself. The file may ask for step-lock where that is not installed beside it. */
async function run(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  // The command line is bundled: what lies beside this file is known in the sources only.
  const own = import.meta.url.endsWith('.ts') ? fileURLToPath(new URL('./index.ts', import.meta.url)) : createRequire(import.meta.url).resolve('step-lock/config');
  const jiti = createJiti(import.meta.url, { fsCache: false, moduleCache: false, alias: { 'step-lock/config': own } });
  return jiti.import(path, { default: true });
}
