import { posix } from 'node:path';
import { foldersAbove } from './file-path.js';
import type { Probe } from './probe.js';
import type { PathAliases, Tsconfigs } from './tsconfig.js';
import type { WorkspacePackages } from './workspace-packages.js';

export interface ResolverOptions {
  readonly probe: Probe;
  readonly packages: WorkspacePackages;
  readonly tsconfigs: Tsconfigs;
}

/**
 * Resolves import specifiers to source files of the tree: relative paths, tsconfig aliases, `#imports` and workspace packages by name.
 * `undefined` for installed packages, Node's own modules, assets, and what does not exist.
 */
export function createResolver(options: ResolverOptions): (fromPath: string, specifier: string) => string | undefined {
  const answers = new Map<string, string | undefined>();
  return (fromPath, specifier) => {
    const key = `${posix.dirname(fromPath)}\0${specifier}`;
    if (!answers.has(key)) answers.set(key, search(fromPath, specifier));
    return answers.get(key);
  };

  function search(fromPath: string, specifier: string): string | undefined {
    if (specifier === '' || specifier.startsWith('node:')) return undefined;
    if (/^(?:\.{1,2}(?:\/|$)|\/)/.test(specifier)) return options.probe(posix.resolve(posix.dirname(fromPath), specifier));
    const folders = foldersAbove(fromPath);
    if (specifier.startsWith('#')) {
      const internal = firstDefined(folders, (folder) => options.packages.resolveInternal(folder, specifier));
      if (internal !== undefined) return internal;
    }
    // TypeScript asks the nearest config only. Asking those above too costs little and mends solution-style set-ups.
    const aliased = firstDefined(folders, (folder) => firstDefined(options.tsconfigs(folder), (aliases) => byAlias(aliases, specifier)));
    return aliased ?? options.packages.resolve(specifier);
  }

  function byAlias(aliases: PathAliases, specifier: string): string | undefined {
    const matches = aliases.paths.map((alias) => ({ ...alias, star: starOf(alias.pattern, specifier) })).filter(({ star }) => star !== undefined);
    // As in TypeScript: an exact pattern first, then the longest text before the star.
    matches.sort((a, b) => Number(a.pattern.includes('*')) - Number(b.pattern.includes('*')) || b.pattern.indexOf('*') - a.pattern.indexOf('*'));
    const target = firstDefined(matches, ({ targets, star }) => firstDefined(targets, (path) => options.probe(path.replace('*', () => star ?? ''))));
    if (target !== undefined || aliases.baseUrl === undefined) return target;
    return options.probe(posix.join(aliases.baseUrl, specifier));
  }
}

/** The text that the star of a pattern stands for; empty for an exact match, `undefined` for none. */
function starOf(pattern: string, specifier: string): string | undefined {
  const at = pattern.indexOf('*');
  if (at === -1) return pattern === specifier ? '' : undefined;
  const before = pattern.slice(0, at);
  const after = pattern.slice(at + 1);
  if (specifier.length < before.length + after.length || !specifier.startsWith(before) || !specifier.endsWith(after)) return undefined;
  return specifier.slice(before.length, specifier.length - after.length);
}

function firstDefined<T, R>(values: readonly T[], ask: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const answer = ask(value);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
