import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from 'typescript';
import type { Ts } from '../engine/syntax/typescript.js';

/**
 * The copy of TypeScript that made a node, or `undefined`. Kind numbers differ between versions, so a second copy would silently
 * misread the tree. The copy that made it is loaded in this process; whichever way the parser found it, Node's module cache holds it.
 */
export function typeScriptThatMade(sourceFile: ts.SourceFile): Ts | undefined {
  const known = madeBy.get(sourceFile.constructor);
  if (known !== undefined) return known;
  const found = loadedCopies().find((copy) => sourceFileClass(copy) === sourceFile.constructor);
  if (found !== undefined) madeBy.set(sourceFile.constructor, found);
  return found;
}

/**
 * A usable TypeScript to parse with: the peer of this package, the linted project's, or one that is loaded already. Loaded on the first
 * call, which only files that pass the text scan reach. `undefined` without any.
 */
export function anyTypeScript(cwd: string): Ts | undefined {
  const known = byFolder.get(cwd);
  if (known !== undefined) return known;
  const found = requireFrom(import.meta.url) ?? requireFrom(join(cwd, 'package.json')) ?? loadedCopies()[0];
  if (found !== undefined) byFolder.set(cwd, found);
  return found;
}

/**
 * The versions of those that `anyTypeScript` looks for first, without loading one. Undefined where there are none: what is parsed with then depends on what else is
 * loaded.
 */
export function installedTypeScript(cwd: string): string | undefined {
  let found = versions.get(cwd);
  if (found === undefined) {
    found = [import.meta.url, join(cwd, 'package.json')].map(versionFrom).join(' ').trim();
    versions.set(cwd, found);
  }
  return found === '' ? undefined : found;
}

const versions = new Map<string, string>();

function versionFrom(place: string): string {
  const found = requiredFrom(place, 'typescript/package.json');
  return typeof found === 'object' && found !== null && 'version' in found ? String(found.version) : '';
}

const madeBy = new WeakMap<object, Ts>();
const byFolder = new Map<string, Ts>();
const require = createRequire(import.meta.url);

function requireFrom(place: string): Ts | undefined {
  const found = requiredFrom(place, 'typescript');
  return isUsable(found) ? found : undefined;
}

function requiredFrom(place: string, name: string): unknown {
  try {
    return createRequire(place)(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function loadedCopies(): Ts[] {
  // Named by file only: the package itself may be an alias such as `@typescript/typescript6`.
  const files = Object.keys(require.cache).filter((file) => /[\\/]lib[\\/]typescript\.js$/.test(file));
  return files.map((file): unknown => require.cache[file]?.exports).filter(isUsable);
}

/** The classic compiler API, 5.0 or newer. TypeScript 7 exports little more than its version. */
function isUsable(found: unknown): found is Ts {
  if (typeof found !== 'object' || found === null || !('createSourceFile' in found) || !('version' in found)) return false;
  return Number.parseInt(String(found.version), 10) >= 5;
}

/** Internal to TypeScript, in every version since 2: the constructor behind `createSourceFile`. Absent, no tree is taken for this copy's. */
function sourceFileClass(copy: Ts): unknown {
  const allocator: unknown = Reflect.get(copy, 'objectAllocator');
  if (typeof allocator !== 'object' || allocator === null || !('getSourceFileConstructor' in allocator)) return undefined;
  return typeof allocator.getSourceFileConstructor === 'function' ? (allocator.getSourceFileConstructor as () => unknown)() : undefined;
}
