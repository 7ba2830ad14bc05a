import { posix } from 'node:path';
import { kindOfPath } from './file-kind.js';
import type { FileTree } from './file-tree.js';
import { isRecord } from './is-record.js';
import type { Probe } from './probe.js';

/** A package of the tree that a specifier names. `subpath` is what follows the name, without the slash. */
export interface NamedPackage {
  readonly folder: string;
  readonly subpath: string;
}

/** The packages that the tree itself holds. Installed dependencies are not among them. */
export interface WorkspacePackages {
  /** The package a bare specifier names. */
  find(specifier: string): NamedPackage | undefined;
  /** The source file behind a bare specifier (`@acme/db`, `@acme/db/locks`). */
  resolve(specifier: string): string | undefined;
  /** The source file behind a `#name` specifier of the package in exactly this folder. */
  resolveInternal(folder: string, specifier: string): string | undefined;
}

interface Manifest {
  readonly folder: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** Reads the manifests of the tree. One that cannot be parsed names no package, as for npm. */
export function readWorkspacePackages(configFiles: readonly string[], probe: Probe, tree: FileTree): WorkspacePackages {
  const byName = new Map<string, Manifest>();
  const byFolder = new Map<string, Manifest>();
  for (const path of configFiles.toSorted(fixturesLast)) {
    if (posix.basename(path) !== 'package.json') continue;
    const manifest = readManifest(path, tree);
    if (manifest === undefined) continue;
    byFolder.set(manifest.folder, manifest);
    const { name } = manifest.content;
    // Two packages of one name: the first in path order, as in the listing.
    if (typeof name === 'string' && !byName.has(name)) byName.set(name, manifest);
  }

  return {
    find,
    resolve: (specifier) => {
      const found = find(specifier);
      const manifest = found === undefined ? undefined : byFolder.get(found.folder);
      return found === undefined || manifest === undefined ? undefined : firstSource(manifest.folder, exportTargets(manifest, found.subpath), probe);
    },
    resolveInternal: (folder, specifier) => {
      const manifest = byFolder.get(folder);
      return manifest === undefined ? undefined : firstSource(folder, mapped(manifest.content['imports'], specifier), probe);
    },
  };

  function find(specifier: string): NamedPackage | undefined {
    const parts = specifier.split('/');
    const length = specifier.startsWith('@') ? 2 : 1;
    const folder = byName.get(parts.slice(0, length).join('/'))?.folder;
    return folder === undefined ? undefined : { folder, subpath: parts.slice(length).join('/') };
  }
}

function readManifest(path: string, tree: FileTree): Manifest | undefined {
  const source = tree.read(path);
  if (source === 'gone' || 'reason' in source) return undefined;
  try {
    const content: unknown = JSON.parse(source.text);
    return isRecord(content) ? { folder: posix.dirname(path), content } : undefined;
  } catch {
    return undefined;
  }
}

/** Fixtures repeat the names of real packages. */
function fixturesLast(a: string, b: string): number {
  return Number(kindOfPath(a) === 'test') - Number(kindOfPath(b) === 'test') || (a < b ? -1 : 1);
}

/** What a manifest says a subpath leads to, best first, then where sources usually lie. */
function exportTargets({ content }: Manifest, subpath: string): string[] {
  const { exports } = content;
  if (subpath !== '') return [...mapped(exports, `./${subpath}`), subpath, `src/${subpath}`];
  const main = isRecord(exports) && '.' in exports ? leaves(exports['.']) : isConditions(exports) ? leaves(exports) : [];
  const fields = ['source', 'module', 'main', 'types'].map((field) => content[field]).filter((target) => typeof target === 'string');
  return [...main, ...fields, 'src/index', 'index', 'lib/index'];
}

/** The targets of a key in an `exports` or `imports` map, `*` patterns included. */
function mapped(map: unknown, key: string): string[] {
  if (!isRecord(map)) return [];
  if (key in map) return leaves(map[key]);
  for (const [pattern, target] of Object.entries(map)) {
    const [before, after, ...rest] = pattern.split('*');
    if (before === undefined || after === undefined || rest.length > 0) continue;
    if (key.length < pattern.length || !key.startsWith(before) || !key.endsWith(after)) continue;
    const star = key.slice(before.length, key.length - after.length);
    return leaves(target).map((leaf) => leaf.replaceAll('*', star));
  }
  return [];
}

function isConditions(exports: unknown): boolean {
  return typeof exports === 'string' || (isRecord(exports) && !Object.keys(exports).some((key) => key.startsWith('.')));
}

function leaves(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  if (Array.isArray(target)) return target.flatMap(leaves);
  return isRecord(target) ? Object.values(target).flatMap(leaves) : [];
}

/** Manifests point at compiled files; the source is taken to lie at the same place below `src`, or beside the output folder. */
function firstSource(folder: string, targets: readonly string[], probe: Probe): string | undefined {
  for (const target of targets) {
    const stem = target.replace(/^\.\//, '').replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
    const inner = stem.replace(/^(?:dist|build|out|lib|esm|cjs)\/(?:esm\/|cjs\/|types\/)?/, '');
    const places = inner === stem ? [target.replace(/^\.\//, ''), stem] : [`src/${inner}`, inner, stem];
    for (const place of places) {
      const found = probe(posix.join(folder, place));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
