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
  /** All files that were read, candidates included, sorted. */
  readonly scanned: readonly string[];
  /** Every `package.json` and tsconfig of the tree, absolute. */
  readonly configFiles: readonly string[];
  readonly tree: FileTree;
}

export interface SourceProject {
  readonly port: Project & Required<Pick<Project, 'text'>>;
  /** The candidates parsed, in the order of their paths. */
  candidateFiles(): ts.SourceFile[];
  /** Lets go of the trees: what an engine run has worked out is kept by them, and must not reach the next run. */
  forgetTrees(): void;
  /** Syntax errors of parsed candidates and broken configuration files, so far. */
  errors(): EngineError[];
}

/** The files of an audit behind the engine's port. Candidates are parsed at once, others when the engine asks for them. */
export function createSourceProject(options: SourceProjectOptions): SourceProject {
  const { typescript, candidates, scanned, tree } = options;
  const parsed = new Map<string, ts.SourceFile | undefined>();
  const unparsed = new Map<string, string | undefined>();
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
    candidateFiles,
    forgetTrees: () => { parsed.clear(); },
    errors: () => [...errors],
  };

  function candidateFiles(): ts.SourceFile[] {
    const files: ts.SourceFile[] = [];
    for (const path of candidates.keys()) {
      const source = file(path);
      if (source === undefined) continue;
      const error = syntaxError(typescript, source);
      if (error !== undefined) errors.push(error);
      files.push(source);
    }
    return files;
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
    const text = candidates.get(path);
    if (text !== undefined) return text;
    const source = tree.read(path);
    return source !== 'gone' && 'text' in source ? source.text : undefined;
  }
}
