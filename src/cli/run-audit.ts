import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { rules as allRules } from '../../rules/index.js';
import { audit, type AuditOptions, type AuditResult } from '../audit/audit.js';
import { UserMistake } from '../audit/user-mistake.js';
import { loadConfig } from '../config/load-config.js';
import { mergeModels } from '../config/merge-models.js';
import { builtInModels } from '../models/index.js';
import type { DiffLines } from '../post/diff-lines.js';
import { formats } from '../report/formats.js';
import { assembleReview } from '../review/assemble-review.js';
import { configDigest } from '../review/config-digest.js';
import type { Review } from '../review/types.js';
import { chosenRules, type AuditFlags } from './audit-options.js';
import { withBaseline } from './baseline-option.js';
import { dayOf, exceptionsOf } from './exceptions-option.js';
import { exitCode, type ExitCode } from './exit-code.js';
import { appendToLedger } from './ledger-file.js';
import { printFixes } from './print-fixes.js';
import { hostReporter, printedFormat } from './post-options.js';
import { keepProtocol } from './protocol-file.js';
import { createProgress } from './progress.js';
import { reportOptions } from './report-options.js';
import { wantsColor, type Terminal } from './terminal.js';
import { packageVersion } from './version.js';

/**
 * Audits the paths, writes the report to stdout or to a file, and tells the exit code.
 * @throws {UserMistake} for a path, a rule or an output file that cannot be used.
 * @throws {ConfigMistake} for a configuration that cannot be read.
 */
export async function runAudit(paths: readonly string[], flags: AuditFlags, terminal: Terminal): Promise<ExitCode> {
  const { review: found, result } = await auditedReview(paths, flags, terminal);
  const review = baselined(found, paths, flags, terminal);
  if (flags.fixDryRun === true) {
    printFixes(review, result, terminal);
    return exitCode(review, flags);
  }
  const earned = await publish(review, flags, terminal);
  if (flags.ledger !== undefined) appendToLedger(flags.ledger, review, paths, terminal);
  return earned;
}

/** The review with what the baseline holds marked. */
export function baselined(review: Review, paths: readonly string[], flags: AuditFlags, terminal: Terminal): Review {
  return withBaseline(review, flags, { paths, rules: chosenRules(allRules, flags.rules).map(({ id }) => id), terminal });
}

/**
 * Writes the report of a review, posts it where a reporter is asked for, and tells the exit code it earns.
 * @param change What a review of a change knows beside the report: all findings, and the lines of the diff.
 */
export async function publish(review: Review, flags: AuditFlags, terminal: Terminal, change?: { readonly review: Review; diff(): DiffLines }): Promise<ExitCode> {
  const options = reportOptions(terminal.cwd, flags.rules);
  const report = formats[printedFormat(flags)](review, {
    color: flags.outputFile === undefined && wantsColor(terminal.stdout, terminal.env, flags.color),
    ...options,
  });
  if (flags.outputFile === undefined) terminal.stdout.write(report);
  else writeReport(resolve(terminal.cwd, flags.outputFile), flags.outputFile, report);

  if (flags.requireJudged && review.verdict === 'nothing-seen') {
    terminal.stderr.write('step-lock: no lock and no state write was judged, and --require-judged asks for some. The report names what was searched.\n');
  }
  const kept = keepProtocol(review, flags, terminal);
  const earned = exitCode(review, flags);
  const code = earned === 2 || kept === 0 ? earned : kept;
  const reporter = hostReporter(flags);
  if (reporter !== undefined) {
    const { runPost } = await import('./run-post.js');
    await runPost({ reporter, review: change?.review ?? review, diff: change?.diff(), code, options }, flags, terminal);
  }
  return code;
}

/** The review of the paths, and the audit it is drawn from. `more`: another version of the tree, or what an earlier audit found. */
export async function auditedReview(paths: readonly string[], flags: AuditFlags, terminal: Terminal, more: Pick<AuditOptions, 'otherVersion' | 'earlier'> = {}): Promise<{ readonly review: Review; readonly result: AuditResult }> {
  const rules = chosenRules(allRules, flags.rules);
  const asOf = dayOf(flags.asOf);
  const { config, folder } = await loadConfig(terminal.cwd, flags.config);
  const models = mergeModels(builtInModels, config);
  const profile = flags.profile ?? config.profile ?? 'recommended';
  const certainty = flags.certainty ?? config.certainty ?? 'possible';
  const ignore = folder === undefined || config.ignore === undefined ? undefined : { folder, patterns: config.ignore };
  const include = { test: flags.includeTests, generated: flags.includeGenerated, declaration: flags.includeDeclarations };
  const progress = createProgress(terminal, flags.quiet);
  try {
    const result = await audit({ cwd: terminal.cwd, paths, models, rules, include, ...(ignore && { ignore }), ...more, onProgress: progress.step });
    const review = assembleReview(result.analysis, rules, {
      root: result.root,
      version: packageVersion(),
      profile,
      certainty,
      configDigest: configDigest({ profile, certainty, rules: rules.map(({ id }) => id), models, include, ignore: config.ignore ?? [] }),
      filesJudged: result.judged.length,
      filesWithoutSubjects: result.withoutSubjects,
      filesSkipped: result.skipped,
      errors: result.errors,
      asOf,
      exceptions: exceptionsOf(terminal.cwd, paths, result, allRules),
    });
    return { review, result };
  } finally {
    progress.end();
  }
}

function writeReport(path: string, argument: string, report: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, report);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UserMistake(`The report cannot be written to \`${argument}\` (${why}).`, 'Give --output-file the path of a file that can be written.');
  }
}
