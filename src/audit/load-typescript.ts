import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { Module, createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Ts } from '../engine/syntax/typescript.js';
import { digestOf } from './digest.js';

/** TypeScript, and how its compiled code is kept for the next run. */
export interface LoadedTypeScript {
  readonly typescript: Ts;
  /** Writes what was compiled up to now, where it is not there yet: to be called when the work is done, since functions are compiled when they first run. */
  keepCompiled(): void;
}

/**
 * The TypeScript copy that ts-morph carries, loaded on first use: `--help` should not wait for it. Nodes are parsed with it directly. ts-morph's wrappers are not
 * used here: they cost seven times the walk, and an edit is the only thing that needs them. The build cuts the parser out of it (`scripts/bundle-typescript.mjs`), which
 * is there in a tenth of the time; where nothing was built it is the whole copy.
 * @param folder Where compiled code may be kept: with it TypeScript is there in half the time. Undefined: it is compiled anew.
 */
export function loadTypeScript(folder?: string): Promise<LoadedTypeScript> {
  loaded ??= load(folder);
  return loaded;
}

/** Two audits of one process, such as those of a review, share it. */
let loaded: Promise<LoadedTypeScript> | undefined;

async function load(folder: string | undefined): Promise<LoadedTypeScript> {
  const file = existsSync(PARSER) ? PARSER : wholeCopy();
  const kept = folder === undefined ? undefined : await loadKept(file, folder);
  if (kept !== undefined) return kept;
  // The one port between the two copies: ts-morph's namespace has the same shape (6.0.2 for 6.0.3) but nominally other enums. The parser has what the audit asks for.
  return { typescript: createRequire(import.meta.url)(file) as Ts, keepCompiled: () => undefined };
}

/** The same file from the modules of `dist` and from the bundle of the command line. */
const PARSER = fileURLToPath(new URL('../audit/typescript-parser.cjs', import.meta.url));

function wholeCopy(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('ts-morph'));
  return join(dirname(require.resolve('@ts-morph/common')), 'typescript.js');
}

/** Undefined where the file is not what it was taken for; the usual way will do. */
async function loadKept(file: string, folder: string): Promise<LoadedTypeScript | undefined> {
  try {
    const { Script } = await import('node:vm');
    const { size, mtimeMs } = statSync(file);
    // Of the source V8 looks at nothing but its length.
    const path = join(folder, `${digestOf(JSON.stringify([file, size, mtimeMs, process.version, process.arch])).slice(0, 16)}.code.kept`);
    const cachedData = readCompiled(path);
    const script = new Script(Module.wrap(readFileSync(file, 'utf8')), { filename: file, ...(cachedData && { cachedData }) });
    const module = { exports: {} };
    // What Node calls a CommonJS module with.
    const run = script.runInThisContext() as (exports: object, require: NodeJS.Require, module: { exports: object }, file: string, folder: string) => void;
    run(module.exports, createRequire(file), module, file, dirname(file));
    const typescript = module.exports as Ts;
    if (typeof typescript.createSourceFile !== 'function') return undefined;
    const isThere = cachedData !== undefined && script.cachedDataRejected !== true;
    return { typescript, keepCompiled: () => { if (!isThere) writeCompiled(path, script.createCachedData()); } };
  } catch {
    return undefined;
  }
}

/** V8 trusts the bytes: only those are handed over whose digest stands before them. */
function readCompiled(path: string): Buffer | undefined {
  try {
    const kept = readFileSync(path);
    const end = kept.indexOf('\n');
    const data = kept.subarray(end + 1);
    return kept.subarray(0, end).toString() === digestOf(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function writeCompiled(path: string, data: Buffer): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${String(process.pid)}-${Math.random().toString(36).slice(2)}`;
    writeFileSync(draft, Buffer.concat([Buffer.from(`${digestOf(data)}\n`), data]));
    renameSync(draft, path);
  } catch {
    // It is compiled again next time.
  }
}
