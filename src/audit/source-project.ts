import { posix } from 'node:path';
import type ts from 'typescript';
import type { EngineError } from '../engine/judge/site.js';
import type { Project } from '../engine/project.js';
import { isDocTag } from '../engine/syntax/doc-comments.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { parseSource, syntaxError } from './parse.js';
import type { FileTree } from './file-tree.js';
import { createProbe } from './probe.js';
import { readRunLimits } from './run-limits.js';
import { RUN_LIMITS_FILE } from './run-limits-file.js';
import { createResolver } from './resolve-specifier.js';
import { readTsconfigs } from './tsconfig.js';
import { createWordIndex } from './word-index.js';
import { readWorkspacePackages } from './workspace-packages.js';

export interface SourceProjectOptions {
  readonly typescript: Ts;
  /** The text of the files that may hold a subject, by absolute path, sorted. */
  readonly candidates: ReadonlyMap<string, string>;
  /** The candidates that may hold a tag. Default: any may. */
  readonly tagged?: readonly string[];
  /** Tells by its text that a file shows nothing by itself. Default: none is known to. */
  readonly isSilent?: (text: string) => boolean;
  /** The text of a file that is no candidate, where it is at hand. Default: of none. */
  readonly textAtHand?: (path: string) => string | undefined;
  /** All files that were read, candidates included, sorted. */
  readonly scanned: readonly string[];
  /** Every `package.json` and tsconfig of the tree, absolute. */
  readonly configFiles: readonly string[];
  readonly tree: FileTree;
}

export interface SourceProject {
  readonly port: Project & Required<Pick<Project, 'text'>>;
  /** Lets go of the trees: what an engine run has worked out is kept by them, and must not reach the next run. */
  forgetTrees(): void;
  /** The candidates whose text rules out that they show anything by themselves: nothing is judged for their sake. None where tags speak of calls. */
  isSilent(path: string): boolean;
  /** The first syntax error of each other candidate that is parsed. */
  syntaxErrors(): EngineError[];
  /** What is wrong with configuration files. */
  errors(): EngineError[];
}

/** The files of an audit behind the engine's port. A file is parsed when the engine asks for it. */
export function createSourceProject(options: SourceProjectOptions): SourceProject {
  const { typescript, candidates, scanned, tree } = options;
  const parsed = new Map<string, ts.SourceFile | undefined>();
  const unparsed = new Map<string, string | undefined>();
  const silent = new Map<string, boolean>();
  const errors: EngineError[] = [];
  const probe = createProbe(tree.isFile);
  const packages = readWorkspacePackages(options.configFiles, probe, tree);
  const tsconfigs = readTsconfigs({ typescript, configFiles: options.configFiles, scanned, packages, tree, onError: (error) => errors.push(error) });
  const resolveSpecifier = createResolver({ probe, packages, tsconfigs });
  const mentioning = createWordIndex(scanned, textOf);

  return {
    port: {
      file,
      text: textToParse,
      resolve: resolveSpecifier,
      runLimit: readRunLimits(options.configFiles.filter((path) => posix.basename(path) === RUN_LIMITS_FILE), textOf),
      filesMentioning: (name) => (isDocTag(name) ? holding(`@${name}`) : mentioning(name)),
    },
    isSilent,
    forgetTrees: () => { parsed.clear(); },
    syntaxErrors,
    errors: () => [...errors],
  };

  function isSilent(path: string): boolean {
    let held = silent.get(path);
    if (held === undefined) silent.set(path, (held = options.isSilent?.(candidates.get(path) ?? '') ?? false));
    return held;
  }

  function syntaxErrors(): EngineError[] {
    return [...candidates.keys()].flatMap((path) => {
      const file = isSilent(path) ? undefined : parsed.get(path);
      return (file && syntaxError(typescript, file)) ?? [];
    });
  }

  /** Tags are words that make a file a candidate: no other file has to be read for them, which every audit asks about. */
  function holding(tag: string): string[] {
    return (options.tagged ?? [...candidates.keys()]).filter((path) => candidates.get(path)?.includes(tag) === true);
  }

  function file(path: string): ts.SourceFile | undefined {
    if (!parsed.has(path)) {
      const text = textToParse(path);
      unparsed.delete(path);
      parsed.set(path, text === undefined ? undefined : parseSource(typescript, path, text));
    }
    return parsed.get(path);
  }

  /** Asked for before the file is parsed, if it is. */
  function textToParse(path: string): string | undefined {
    const file = parsed.get(path);
    if (file !== undefined) return file.text;
    if (!unparsed.has(path)) unparsed.set(path, textOf(path));
    return unparsed.get(path);
  }

  function textOf(path: string): string | undefined {
    const text = candidates.get(path) ?? options.textAtHand?.(path);
    if (text !== undefined) return text;
    const source = tree.read(path);
    return source !== 'gone' && 'text' in source ? source.text : undefined;
  }
}
