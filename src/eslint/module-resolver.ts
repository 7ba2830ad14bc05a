import type ts from 'typescript';
import type { Ts } from '../engine/syntax/typescript.js';

/**
 * Where a specifier leads from a file of a program, by TypeScript's own rules: the answer the program has already found, else a resolution of its own. Each is asked
 * for once. Undefined where nothing is found.
 */
export function moduleResolver(ts: Ts, program: ts.Program): (fromPath: string, specifier: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  let cache: ts.ModuleResolutionCache | undefined;
  return (fromPath, specifier) => {
    const key = `${fromPath}\0${specifier}`;
    if (!known.has(key)) known.set(key, resolve(fromPath, specifier));
    return known.get(key);
  };

  function resolve(fromPath: string, specifier: string): string | undefined {
    const from = program.getSourceFile(fromPath);
    const found = from && foundBy(program, from, specifier);
    if (found !== undefined) return found;
    const options = program.getCompilerOptions();
    cache ??= ts.createModuleResolutionCache(program.getCurrentDirectory(), (name) => name, options);
    return ts.resolveModuleName(specifier, fromPath, options, ts.sys, cache, undefined, from?.impliedNodeFormat).resolvedModule?.resolvedFileName;
  }
}

/** Internal to TypeScript, since 5.3: what the program found when it was made. Absent, or with nothing found, the specifier is resolved once more. */
function foundBy(program: ts.Program, from: ts.SourceFile, specifier: string): string | undefined {
  const ask: unknown = Reflect.get(program, 'getResolvedModule');
  if (typeof ask !== 'function') return undefined;
  const found: unknown = Reflect.apply(ask, program, [from, specifier, from.impliedNodeFormat]);
  return fileName(property(found, 'resolvedModule'));
}

function fileName(resolved: unknown): string | undefined {
  const name = property(resolved, 'resolvedFileName');
  return typeof name === 'string' ? name : undefined;
}

function property(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;
}
