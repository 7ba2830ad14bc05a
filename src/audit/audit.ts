import { candidateTest } from '../engine/candidate.js';
import { analyse } from '../engine/engine.js';
import { lookAt, type PlaceView } from '../engine/look-at.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Analysis, EngineError } from '../engine/judge/site.js';
import type { WithheldSuggestion } from '../engine/judge/with-checked-suggestions.js';
import type { Models } from '../engine/models.js';
import type { DeclaredException } from '../exceptions/declared.js';
import { absolutePath, relativePath } from './file-path.js';
import { checkedFixes } from './checked-fixes.js';
import { commentsIn } from './comments-in.js';
import { discover, type Discovery, type Included, type SkippedPath } from './discover.js';
import { taggedCalls } from './tagged-calls.js';
import { ignoreTest } from './ignored.js';
import { loadTypeScript } from './load-typescript.js';
import type { AuditState } from './audit-state.js';
import { digestOf } from './digest.js';
import { judgeAnew, judgeShare, judgeUnion, type Judged, type Judging } from './judge-anew.js';
import { filesOfShare, type Share } from './shares.js';
import { UserMistake } from './user-mistake.js';
import { configDigest, keptDigest } from '../review/config-digest.js';
import { assembled } from '../engine/parts.js';
import { silentTest } from '../engine/silent.js';
import { fileTree, type FileTree, type OtherVersion } from './file-tree.js';
import { scan, type FileFacts } from './scan.js';
import { createSourceProject } from './source-project.js';
import type { Watch } from './watch.js';
import type { Watched } from './watched.js';

export interface AuditOptions {
  /** The working directory; every path of the result is seen from it. */
  readonly cwd: string;
  /** Files or folders; default the working directory. */
  readonly paths?: readonly string[];
  readonly models: Models;
  readonly rules: readonly RuleDefinition[];
  /** Files and folders that are left out: patterns as in `.gitignore`, seen from a folder (absolute). */
  readonly ignore?: { readonly folder: string; readonly patterns: readonly string[] };
  /** Kinds of files that are judged although they are left out by default. */
  readonly include?: Partial<Included>;
  /** Takes what an earlier audit found where nothing it depends on has changed, and gives the state for the next. */
  readonly earlier?: EarlierAudit;
  /** Judges one share of the files as if there were no others to judge; with `earlier`, whose state is left aside. The result is of use for a union only. */
  readonly share?: Share;
  /** Joins what was found of all shares of this tree; with `earlier`, whose state is left aside. */
  readonly shares?: readonly AuditState[];
  /** Notes what the result rests on, so that it can be kept, and takes over what has not moved since an earlier run. Of another version of the tree, what it has of the disk. */
  readonly keeping?: Keeping;
  /** The files of this version of the tree, where they are known. */
  readonly found?: Discovery;
  /** What is known of a file of the same tree by an audit of another version of it: it is not read again. */
  readonly factsOf?: (path: string) => FileFacts | undefined;
  /** Judges another version of the tree: these files in place of those on the disk. */
  readonly otherVersion?: OtherVersion;
  /** A line to look at closely, its file absolute, with `/`. */
  readonly lookAt?: { readonly file: string; readonly line: number };
  /** Where compiled code of TypeScript may be kept, absolute: with it a later run starts sooner. */
  readonly compiledFolder?: string;
  /** Told what is done next, for a progress line. */
  readonly onProgress?: (step: string) => void;
}

export interface EarlierAudit {
  /** Undefined: there is none, and all files are judged. */
  readonly state: AuditState | undefined;
  /** What else the judgement depends on: the tool itself. */
  readonly key: string;
}

export interface Keeping {
  readonly watch: Watch;
  readonly before?: {
    /** The files that were found, where the listing has not moved. */
    readonly found: Discovery | undefined;
    /** What is known of a file that has not moved. */
    factsOf(path: string): FileFacts | undefined;
  };
}

/** What a run knows beside its result: kept for the next. Plain data. */
export interface KeptKnowledge {
  /** Undefined: the tree changed under the run, and nothing is to be kept. */
  readonly watched: Watched | undefined;
  readonly found: Discovery;
  readonly facts: Readonly<Record<string, FileFacts>>;
}

export interface AuditResult {
  /** What the engine says. Its paths are absolute. */
  readonly analysis: Analysis;
  /** Suggestions that were tried and do not hold; the analysis has them no longer. */
  readonly withheld: readonly WithheldSuggestion[];
  /** The working directory, absolute, with `/`. */
  readonly root: string;
  /** The working directory seen from the top of its git work tree: empty, or `a/b/`. */
  readonly pathPrefix: string;
  /** Files that were parsed and judged, absolute, sorted. */
  readonly judged: readonly string[];
  /** Files that were read and hold no lock or state word, counted. */
  readonly withoutSubjects: number;
  /** Files and folders that were not read or not judged, with the reason; paths relative to the root, sorted. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** For the next audit; absent without `earlier`. */
  readonly state?: () => AuditState;
  /** For the next run; absent without `keeping`. */
  readonly kept?: () => KeptKnowledge;
  /** What the reading of each file told. */
  readonly facts: ReadonlyMap<string, FileFacts>;
  /** The files of the tree. */
  readonly found: Discovery;
  /** How many files were judged and not taken from an earlier audit. */
  readonly judgedAnew: number;
  /** What went wrong outside of the engine: syntax errors, broken tsconfigs. Paths are absolute. */
  readonly errors: readonly EngineError[];
  /** The exceptions in the comments of judged files. */
  readonly exceptions: readonly DeclaredException[];
  /** What stands at the line of `lookAt`; absent without one, and for a file or line that is not there. */
  readonly view?: PlaceView;
}

const NOTHING_INCLUDED: Included = { test: false, generated: false, declaration: false };

/**
 * Judges all source files of the given paths. Files that cannot hold a lock or a state write are read, not parsed.
 * @throws {UserMistake} for a path that does not exist, and for shares that are of another tree.
 */
export async function audit(options: AuditOptions): Promise<AuditResult> {
  const root = absolutePath(options.cwd, '.');
  const include = { ...NOTHING_INCLUDED, ...options.include };

  options.onProgress?.('looking for files');
  const { keeping, otherVersion } = options;
  const found = options.found ?? (otherVersion === undefined ? keeping?.before?.found : undefined) ?? filesAsked(options);
  const tree = fileTree(otherVersion, keeping?.watch.tree);

  options.onProgress?.(`reading ${found.files.length} files`);
  const read = scan({
    files: found.files, tree, include, isIgnored: ignoreTest(options.ignore), isCandidate: candidateTest(options.models),
    known: (path) => (otherVersion?.has(path) === true ? undefined : keeping?.before?.factsOf(path)) ?? options.factsOf?.(path),
  });
  const { candidates: texts, scanned, facts } = read;
  const skipped: SkippedPath[] = [...found.skipped, ...read.skipped];

  const { typescript, keepCompiled } = await loadTypeScript(options.compiledFolder);
  const tagging = [...texts.keys()].filter((path) => isSet(facts.get(path), 'tagsCalls'));
  for (const [path, text] of taggedCalls(typescript, tagging, read, tree)) texts.set(path, text);
  const candidates = texts.sorted();
  options.onProgress?.(`judging ${candidates.size} files`);
  const project = createSourceProject({
    typescript, candidates, scanned, configFiles: found.configFiles, tree, tagged: [...candidates.keys()].filter((path) => isSet(facts.get(path), 'tagged')),
    textAtHand: read.textAtHand,
    ...(tagging.length === 0 && { isSilent: silentTest(options.models) }),
  });
  const judging: Judging | undefined = options.earlier && {
    typescript, models: options.models, rules: options.rules, project, candidates,
    contents: contentsOf(facts, candidates, skipped),
    textOf: (path) => {
      const text = candidates.get(path);
      if (text !== undefined) return text;
      const source = tree.read(path);
      return source !== 'gone' && 'text' in source ? source.text : undefined;
    },
    key: keyOf(options, root, found.configFiles, tree),
  };
  const anew = judging && judgedBy(judging, options);
  const judged = anew === undefined
    ? analyse([...candidates.keys()], { ts: typescript, models: options.models, rules: options.rules, project: project.port, whole: true, isSilent: project.isSilent })
    : assembled(anew.parts);
  // A share is not reported.
  const { analysis, withheld, fixes } = options.share !== undefined
    ? { analysis: judged, withheld: [], fixes: {} }
    : checkedFixes(judged, { typescript, models: options.models, rules: options.rules, project: anew?.port ?? project.port, ...(anew && { known: anew.fixesOf }) });

  keepCompiled();

  const looked = options.lookAt && project.port.file(options.lookAt.file);
  const view = options.lookAt && looked && lookAt(looked, options.lookAt.line, { ts: typescript, project: project.port, models: options.models });

  return {
    ...(view === undefined ? {} : { view }),
    ...(anew === undefined ? {} : { state: () => anew.state(fixes) }),
    facts,
    found,
    judgedAnew: anew?.judgedAnew ?? candidates.size,
    analysis,
    withheld,
    root,
    pathPrefix: found.pathPrefix,
    judged: [...candidates.keys()].sort(),
    withoutSubjects: scanned.length - candidates.size,
    skipped: skipped.map(({ path, reason }) => ({ file: relativePath(root, path), reason })).sort((a, b) => (a.file < b.file ? -1 : 1)),
    errors: [...project.errors(), ...anew === undefined ? project.syntaxErrors() : Object.values(anew.syntax)],
    exceptions: commentsIn(typescript, [...texts.keys()].filter((path) => isSet(facts.get(path), 'excepts')), project.port),
    ...(keeping && { kept: () => ({ watched: keeping.watch.watched(root, found.foundBy), found, facts: Object.fromEntries(facts) }) }),
  };
}

/**
 * The files that are asked for, of this version of the tree.
 * @throws {UserMistake} for a path that does not exist.
 */
export function filesAsked({ cwd, paths, include, otherVersion }: Pick<AuditOptions, 'cwd' | 'paths' | 'include' | 'otherVersion'>): Discovery {
  return discover({
    root: absolutePath(cwd, '.'),
    paths: paths === undefined || paths.length === 0 ? ['.'] : paths,
    include: { ...NOTHING_INCLUDED, ...include },
    ...(otherVersion && { otherVersion }),
  });
}

function judgedBy(judging: Judging, { earlier, share, shares }: AuditOptions): Judged {
  if (share !== undefined) return judgeShare(judging, filesOfShare(judging.candidates, share));
  if (shares === undefined) return judgeAnew(judging, earlier?.state);
  const union = judgeUnion(judging, shares);
  if (union !== undefined) return union;
  throw new UserMistake('The shards are not all of this tree as it is here, judged with the flags given here.', 'Run `audit --shard` and `merge` on the same commit, with the same paths, configuration and version of step-lock.');
}

/** Every source file by what became of it and what it holds. */
function contentsOf(facts: ReadonlyMap<string, FileFacts>, candidates: ReadonlyMap<string, string>, skipped: readonly SkippedPath[]): Record<string, string> {
  const contents: Record<string, string> = {};
  for (const { path, reason } of skipped) contents[path] = reason;
  for (const [path, fact] of facts) {
    if (!('left' in fact)) contents[path] = `${fact.tagged ? 'tagged' : 'plain'} ${fact.digest} ${candidates.has(path) ? 'judged' : 'read'}`;
  }
  return contents;
}

/** What must be the same for two audits to say the same of the same file. Where the root lies does not count. */
function keyOf({ earlier, models, rules, paths, include, ignore }: AuditOptions, root: string, configFiles: readonly string[], tree: FileTree): string {
  const configs = configFiles.map((path) => {
    const source = tree.read(path);
    return [relativePath(root, path), source !== 'gone' && 'text' in source ? digestOf(source.text) : ''];
  });
  return configDigest({ tool: earlier?.key, models: keptDigest(models), rules: rules.map(({ id }) => id), paths: paths ?? [], include: include ?? {}, ignore: ignore === undefined ? [] : [relativePath(root, absolutePath(ignore.folder, '.')), ...ignore.patterns], configs });
}

function isSet(fact: FileFacts | undefined, flag: 'tagged' | 'tagsCalls' | 'excepts'): boolean {
  return fact !== undefined && !('left' in fact) && fact[flag];
}
