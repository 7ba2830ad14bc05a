import { posix } from 'node:path';
import type ts from 'typescript';
import type { EngineError } from '../engine/judge/site.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { foldersAbove } from './file-path.js';
import type { FileTree } from './file-tree.js';
import { isRecord } from './is-record.js';
import type { WorkspacePackages } from './workspace-packages.js';

/** How a tsconfig lets non-relative specifiers be written. Targets and `baseUrl` are absolute. */
export interface PathAliases {
  readonly baseUrl?: string;
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
}

/** The aliases of the configs in a folder, `tsconfig.json` first; empty where there is none. */
export type Tsconfigs = (folder: string) => readonly PathAliases[];

export interface TsconfigOptions {
  readonly typescript: Ts;
  /** Configuration files of the tree, absolute. */
  readonly configFiles: readonly string[];
  /** The files to judge: only configs above one of them are read. */
  readonly scanned: readonly string[];
  readonly packages: WorkspacePackages;
  readonly tree: FileTree;
  readonly onError: (error: EngineError) => void;
}

interface RawConfig {
  readonly folder: string;
  readonly baseUrl?: string;
  readonly paths?: Readonly<Record<string, readonly string[]>>;
  readonly parents: readonly string[];
}

const TSCONFIG = /^[jt]sconfig(?:\.[^/]+)?\.json$/;

/** Reads every config that governs a file to judge, with its `extends` chain. A broken one is told and ignored. */
export function readTsconfigs(options: TsconfigOptions): Tsconfigs {
  const raw = new Map<string, RawConfig | undefined>();
  const byFolder = new Map<string, PathAliases[]>();
  const governing = new Set<string>();
  for (const path of options.scanned) addFoldersAbove(path, governing);

  const configs = options.configFiles.filter((path) => TSCONFIG.test(posix.basename(path)) && governing.has(posix.dirname(path)));
  for (const path of configs.sort(plainNameFirst)) {
    const aliases = aliasesOf(path);
    if (aliases === undefined) continue;
    const folder = posix.dirname(path);
    const known = byFolder.get(folder);
    if (known === undefined) byFolder.set(folder, [aliases]);
    else known.push(aliases);
  }
  return (folder) => byFolder.get(folder) ?? [];

  function aliasesOf(path: string): PathAliases | undefined {
    const chain = chainOf(path, new Set());
    const withPaths = chain.find((config) => config.paths !== undefined);
    const withBase = chain.find((config) => config.baseUrl !== undefined);
    if (withPaths === undefined && withBase === undefined) return undefined;
    const leaf = posix.dirname(path);
    const baseUrl = withBase?.baseUrl === undefined ? undefined : absolute(withBase.baseUrl, withBase.folder, leaf);
    const paths = Object.entries(withPaths?.paths ?? {}).map(([pattern, targets]) => ({
      pattern,
      targets: targets.map((target) => absolute(target, baseUrl ?? withPaths?.folder ?? leaf, leaf)),
    }));
    return { ...(baseUrl === undefined ? {} : { baseUrl }), paths };
  }

  /** The config, then what it extends, nearest first; later entries of an `extends` list win over earlier ones. */
  function chainOf(path: string, above: ReadonlySet<string>): RawConfig[] {
    if (above.has(path)) {
      options.onError({ file: path, line: 1, message: 'The `extends` of this tsconfig leads back to itself; the circle was cut here.' });
      return [];
    }
    const config = read(path);
    if (config === undefined) return [];
    const below = new Set(above).add(path);
    return [config, ...config.parents.toReversed().flatMap((parent) => chainOf(parent, below))];
  }

  function read(path: string): RawConfig | undefined {
    if (!raw.has(path)) raw.set(path, parse(path));
    return raw.get(path);
  }

  function parse(path: string): RawConfig | undefined {
    const source = options.tree.read(path);
    if (source === 'gone' || 'reason' in source) {
      const why = source === 'gone' ? 'is extended but is not there' : source.reason;
      options.onError({ file: path, line: 1, message: `This tsconfig ${why}; it was ignored.` });
      return undefined;
    }
    const known = knownConfigs.get(source.text) ?? plainJson(source.text);
    const parsed: { readonly config?: unknown; readonly error?: ts.Diagnostic } = known === undefined ? options.typescript.parseConfigFileTextToJson(path, source.text) : { config: known };
    const { config, error } = parsed;
    if (error !== undefined) {
      const told = options.typescript.flattenDiagnosticMessageText(error.messageText, ' ').replace(/\.$/, '');
      const line = source.text.slice(0, error.start ?? 0).split('\n').length;
      options.onError({ file: path, line, message: `This tsconfig cannot be parsed (${told}); it was ignored.` });
      return undefined;
    }
    knownConfigs.set(source.text, config);
    return shape(path, config);
  }

  function shape(path: string, config: unknown): RawConfig {
    const folder = posix.dirname(path);
    const compilerOptions = property(config, 'compilerOptions');
    const baseUrl = property(compilerOptions, 'baseUrl');
    const paths = property(compilerOptions, 'paths');
    const parents = [property(config, 'extends')].flat().filter((parent) => typeof parent === 'string');
    return {
      folder,
      ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
      ...(isRecord(paths) ? { paths: textLists(paths) } : {}),
      parents: parents.map((parent) => locate(parent, folder)).filter((parent) => parent !== undefined),
    };
  }

  /** A parent that lies in a package which is not installed is no mistake: code is judged without its dependencies. */
  function locate(parent: string, folder: string): string | undefined {
    if (/^(?:\.{1,2}\/|\/|\.{1,2}$)/.test(parent)) return withJson(posix.resolve(folder, parent));
    const found = options.packages.find(parent);
    return found === undefined ? undefined : withJson(posix.join(found.folder, found.subpath === '' ? 'tsconfig.json' : found.subpath));
  }
}

/** By their text: the two audits of a review read the same. Nothing is kept of one with an error, which is told by its path. */
const knownConfigs = new Map<string, unknown>();

/** The object of a config that is JSON to the letter, without a comment: it needs no parser of its own. Undefined for others. */
function plainJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function addFoldersAbove(path: string, folders: Set<string>): void {
  for (const folder of foldersAbove(path)) {
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}

function plainNameFirst(a: string, b: string): number {
  const rank = (path: string): number => (posix.basename(path) === 'tsconfig.json' ? 0 : 1);
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function absolute(path: string, base: string, leaf: string): string {
  return posix.resolve(base, path.replace('${configDir}', leaf));
}

function withJson(path: string): string {
  return path.endsWith('.json') ? path : `${path}.json`;
}

function textLists(paths: Readonly<Record<string, unknown>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(paths).map(([pattern, targets]) => [pattern, [targets].flat().filter((target) => typeof target === 'string')]));
}

function property(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
