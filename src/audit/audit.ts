import { candidateTest } from '../engine/candidate.js';
import { analyse } from '../engine/engine.js';
import { lookAt, type PlaceView } from '../engine/look-at.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Analysis, EngineError } from '../engine/judge/site.js';
import type { WithheldSuggestion } from '../engine/judge/with-checked-suggestions.js';
import type { Models } from '../engine/models.js';
import type { DeclaredException } from '../exceptions/declared.js';
import { absolutePath, relativePath } from './file-path.js';
import { LEFT_OUT_REASONS, isGeneratedText, isTestText } from './file-kind.js';
import { checkedFixes } from './checked-fixes.js';
import { commentsIn } from './comments-in.js';
import { discover, type Included, type SkippedPath } from './discover.js';
import { taggedCalls } from './tagged-calls.js';
import { IGNORED_REASON, ignoreTest } from './ignored.js';
import { loadTypeScript } from './parse.js';
import { readSource } from './read-source.js';
import { createSourceProject } from './source-project.js';

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
  /** A line to look at closely, its file absolute, with `/`. */
  readonly lookAt?: { readonly file: string; readonly line: number };
  /** Told what is done next, for a progress line. */
  readonly onProgress?: (step: string) => void;
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
 * @throws {UserMistake} for a path that does not exist.
 */
export async function audit(options: AuditOptions): Promise<AuditResult> {
  const root = absolutePath(options.cwd, '.');
  const include = { ...NOTHING_INCLUDED, ...options.include };
  const paths = options.paths === undefined || options.paths.length === 0 ? ['.'] : options.paths;

  options.onProgress?.('looking for files');
  const found = discover({ root, paths, include });
  const skipped: SkippedPath[] = [...found.skipped];
  const isIgnored = ignoreTest(options.ignore);
  const isCandidate = candidateTest(options.models);
  const candidates = new Map<string, string>();
  const scanned: string[] = [];

  options.onProgress?.(`reading ${found.files.length} files`);
  for (const { path, named } of found.files) {
    if (!named && isIgnored(path)) {
      skipped.push({ path, reason: IGNORED_REASON });
      continue;
    }
    const source = readSource(path);
    if (source === 'gone') continue;
    if ('reason' in source) {
      skipped.push({ path, reason: source.reason });
      continue;
    }
    if (!named && !include.generated && isGeneratedText(path, source.text)) {
      skipped.push({ path, reason: LEFT_OUT_REASONS.generated });
      continue;
    }
    if (!named && !include.test && isTestText(source.text)) {
      skipped.push({ path, reason: LEFT_OUT_REASONS.test });
      continue;
    }
    scanned.push(path);
    if (isCandidate(source.text)) candidates.set(path, source.text);
  }

  const typescript = await loadTypeScript();
  for (const [path, text] of taggedCalls(typescript, candidates, scanned)) candidates.set(path, text);
  options.onProgress?.(`judging ${candidates.size} files`);
  const project = createSourceProject({ typescript, candidates: sorted(candidates), scanned, configFiles: found.configFiles });
  const judged = analyse(project.candidateFiles(), { ts: typescript, models: options.models, rules: options.rules, project: project.port, whole: true });
  const { analysis, withheld } = checkedFixes(judged, { typescript, models: options.models, rules: options.rules, project: project.port });

  const looked = options.lookAt && project.port.file(options.lookAt.file);
  const view = options.lookAt && looked && lookAt(looked, options.lookAt.line, { ts: typescript, project: project.port, models: options.models });

  return {
    ...(view === undefined ? {} : { view }),
    analysis,
    withheld,
    root,
    pathPrefix: found.pathPrefix,
    judged: [...candidates.keys()].sort(),
    withoutSubjects: scanned.length - candidates.size,
    skipped: skipped.map(({ path, reason }) => ({ file: relativePath(root, path), reason })).sort((a, b) => (a.file < b.file ? -1 : 1)),
    errors: project.errors(),
    exceptions: commentsIn(typescript, candidates, project.port),
  };
}

/** In the order of their paths, which is that of the findings. */
function sorted(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
