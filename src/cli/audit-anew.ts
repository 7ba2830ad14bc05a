import { rules as allRules } from '../../rules/index.js';
import { audit, type AuditOptions, type AuditResult } from '../audit/audit.js';
import { createWatch } from '../audit/watch.js';
import { ownersFrom } from '../audit/code-owners.js';
import { loadConfig } from '../config/load-config.js';
import { mergeModels } from '../config/merge-models.js';
import { builtInModels } from '../models/index.js';
import type { DiffLines } from '../post/diff-lines.js';
import { assembleReview } from '../review/assemble-review.js';
import { configDigest, keptDigest } from '../review/config-digest.js';
import type { Review } from '../review/types.js';
import { tellNothingJudged, type AuditCache } from './audit-cache.js';
import { chosenRules, type AuditFlags } from './audit-options.js';
import { withBaseline } from './baseline-option.js';
import { dayOf } from './day.js';
import { exceptionsOf } from './exceptions-option.js';
import { earnings, exitCode, type ExitCode } from './exit-code.js';
import { hostReporter } from './post-flags.js';
import { keepProtocol } from './protocol-file.js';
import type { FormatName } from './format-files.js';
import { createProgress } from './progress.js';
import { reportOptions } from './report-options.js';
import type { Terminal } from './terminal.js';
import { toolDigest } from './tool-digest.js';
import { packageVersion } from './version.js';
import { writeReports } from './write-reports.js';
import type { WrittenReport } from './written-report.js';

/**
 * The work of `audit` where no report is at hand: judges what has to be judged, writes the report, and keeps what was found.
 * @param cache What an earlier run found; undefined: nothing, and nothing is kept.
 * @param aids What else it may use.
 */
export async function auditAnew(paths: readonly string[], flags: AuditFlags, terminal: Terminal, cache: AuditCache | undefined, aids: AuditAids = {}): Promise<ExitCode> {
  const { review: found, result, treeId } = await auditedReview(paths, flags, terminal, cache === undefined ? aids : { ...aids, cache });
  let told = '';
  const review = await baselined(found, paths, flags, { ...terminal, stderr: { ...terminal.stderr, write: (text) => { told += text; return terminal.stderr.write(text); } } });
  if (flags.fixDryRun === true) {
    (await import('./print-fixes.js')).printFixes(review, result, terminal);
    return exitCode(review, flags);
  }
  const { code: earned, reports } = await publish(review, flags, terminal);
  if (treeId !== undefined) cache?.record(treeId, { reports, told, earnings: earnings(review) });
  if (flags.ledger !== undefined) (await import('./ledger-file.js')).appendToLedger(flags.ledger, review, paths, terminal);
  return earned;
}

/** The review with what the baseline holds marked. */
export function baselined(review: Review, paths: readonly string[], flags: AuditFlags, terminal: Terminal): Promise<Review> {
  return withBaseline(review, flags, { paths, rules: chosenRules(allRules, flags.rules).map(({ id }) => id), terminal });
}

/**
 * Writes the reports of a review, posts it where a reporter is asked for, and tells the exit code it earns.
 * @param change What a review of a change knows beside: what a format shows of it (default all), and the lines of the diff.
 */
export async function publish(review: Review, flags: AuditFlags, terminal: Terminal, change?: { shown(format: FormatName): Review; diff(): DiffLines }): Promise<Published> {
  const options = reportOptions(terminal.cwd, flags.rules);
  const reports = await writeReports((format) => change?.shown(format) ?? review, flags, terminal, options);

  tellNothingJudged(review, flags, terminal);
  const kept = keepProtocol(review, flags, terminal);
  const earned = exitCode(review, flags);
  const code = earned === 2 || kept === 0 ? earned : kept;
  const reporter = hostReporter(flags);
  if (reporter !== undefined) {
    const { runPost } = await import('./run-post.js');
    await runPost({ reporter, review, diff: change?.diff(), code, options }, flags, terminal);
  }
  return { code, reports };
}

/** What was published of a review, and the exit code it earns. */
export interface Published {
  readonly code: ExitCode;
  readonly reports: readonly WrittenReport[];
}

/** A review, and the audit it is drawn from. */
export interface AuditedReview {
  readonly review: Review;
  readonly result: AuditResult;
  /** What the cache calls the tree; undefined where it holds nothing of it. */
  readonly treeId?: string | undefined;
}

/** What an audit may use beside the files. */
export interface AuditAids extends Pick<AuditOptions, 'otherVersion' | 'factsOf' | 'earlier' | 'share' | 'shares'> {
  readonly cache?: AuditCache;
}

/** The review of the paths. */
export async function auditedReview(paths: readonly string[], flags: AuditFlags, terminal: Terminal, { cache, ...more }: AuditAids = {}): Promise<AuditedReview> {
  const setup = await auditSetup(paths, flags, terminal);
  const progress = createProgress(terminal, flags.quiet);
  try {
    const { result, treeId } = await cachedAudit({ ...setup.options, ...more, onProgress: progress.step }, cache);
    return { review: await setup.reviewOf(result), result, treeId };
  } finally {
    progress.end();
  }
}

/** What the flags and the configuration ask for. */
export interface AuditSetup {
  readonly options: AuditOptions;
  /** Tells the audits that may take over from each other what was found of a file. */
  readonly key: string;
  reviewOf(result: AuditResult): Promise<Review>;
}

/** @throws {UserMistake | ConfigMistake} for a rule, a day or a configuration that cannot be used. */
export async function auditSetup(paths: readonly string[], flags: AuditFlags, terminal: Terminal): Promise<AuditSetup> {
  const rules = chosenRules(allRules, flags.rules);
  const asOf = dayOf(flags.asOf);
  const { config, folder } = await loadConfig(terminal.cwd, flags.config);
  const models = mergeModels(builtInModels, config);
  const profile = flags.profile ?? config.profile ?? 'recommended';
  const certainty = flags.certainty ?? config.certainty ?? 'possible';
  const ignore = folder === undefined || config.ignore === undefined ? undefined : { folder, patterns: config.ignore };
  const include = { test: flags.includeTests, generated: flags.includeGenerated, declaration: flags.includeDeclarations };
  const options: AuditOptions = { cwd: terminal.cwd, paths, models, rules, include, ...(ignore && { ignore }) };
  const settings = configDigest({ profile, certainty, rules: rules.map(({ id }) => id), models, include, ignore: config.ignore ?? [] });
  return { options, key: keyOf(options), reviewOf };

  async function reviewOf(result: AuditResult): Promise<Review> {
    return assembleReview(result.analysis, rules, {
      root: result.root,
      version: packageVersion(),
      profile,
      certainty,
      configDigest: settings,
      filesJudged: result.judged.length,
      filesWithoutSubjects: result.withoutSubjects,
      filesSkipped: result.skipped,
      errors: result.errors,
      ownerOf: ownersFrom(result),
      asOf,
      exceptions: await exceptionsOf(terminal.cwd, paths, result, allRules),
    });
  }
}

function keyOf({ cwd, paths, models, rules, include, ignore }: AuditOptions): string {
  return configDigest({ cwd, paths, models: keptDigest(models), rules: rules.map(({ id }) => id), include, ignore: ignore ?? {} });
}

async function cachedAudit(options: AuditOptions, cache: AuditCache | undefined): Promise<Omit<AuditedReview, 'review'>> {
  if (cache === undefined) return { result: await audit(options) };
  const { kept, seen } = cache;
  const key = keyOf(options);
  const known = seen?.isSame === true ? kept.result(seen, key) : undefined;
  if (known !== undefined) return { result: known, treeId: seen?.id };
  const { keeping, state } = kept.keeping(seen, key, createWatch());
  const result = await audit({ ...options, keeping, compiledFolder: kept.folder, earlier: { state, key: toolDigest() } });
  return { result, treeId: kept.keep(result, key) };
}
