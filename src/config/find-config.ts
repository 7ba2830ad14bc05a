import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigMistake } from './config-mistake.js';

const NAMES = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `step-lock.config.${extension}`);

/**
 * The file that configures a folder, absolute: the one named, else the first `step-lock.config.*` on the way up; undefined where there is none.
 * @param named A path as the user wrote it, seen from `cwd`.
 * @throws {ConfigMistake} for a file that is not there, and for two in one folder.
 */
export function configPath(cwd: string, named?: string): string | undefined {
  return named === undefined ? findConfig(cwd) : namedConfig(cwd, named);
}

function namedConfig(cwd: string, named: string): string {
  const path = resolve(cwd, named);
  if (!existsSync(path)) throw new ConfigMistake(`There is no file \`${named}\`.`, 'Give --config the path of a step-lock.config file.');
  if (!/\.(?:[mc]?[jt]s|json)$/.test(path)) throw new ConfigMistake(`\`${named}\` is neither JSON nor JavaScript nor TypeScript.`, `Name the file like ${NAMES.join(', ')}.`);
  return path;
}

function findConfig(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const [found, second] = NAMES.filter((name) => existsSync(join(folder, name)));
    if (found !== undefined && second !== undefined) throw new ConfigMistake(`There are both ${found} and ${second} in one folder.`, 'Keep one of them, or name one with --config.');
    if (found !== undefined) return join(folder, found);
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Whether the text of a configuration says all by itself: JSON does, and code that takes nothing in but `defineConfig` and asks for nothing that can differ from run
 * to run. The test is strict: a word in a comment is enough to fail it.
 */
export function isSelfContained(path: string, text: string): boolean {
  if (path.endsWith('.json')) return true;
  const rest = text.replace(/^\s*import\s+(?:type\s+)?\{[\s\w,]*\}\s+from\s+(['"])step-lock\/config\1;?/gm, '');
  return !/\b(?:import|require|from|process|globalThis|global|self|Date|Math|performance|crypto|fetch|eval|Function|await|setTimeout|Error|Intl|Symbol|Reflect|constructor|__dirname|__filename|module)\b/.test(rest);
}
