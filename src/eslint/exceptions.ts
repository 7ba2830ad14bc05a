import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { ConfigMistake } from '../config/config-mistake.js';
import type { Violated } from '../engine/judge/outcome.js';
import { reported, type Reported } from '../engine/judge/reported.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import { exceptionComments } from '../exceptions/comments.js';
import type { DeclaredException } from '../exceptions/declared.js';
import { accepts, judgeExceptions, type Acceptable } from '../exceptions/judge.js';
import { findExceptions } from '../exceptions/find-exceptions.js';
import { loadExceptions } from '../exceptions/load-exceptions.js';
import { fingerprints } from '../review/fingerprint.js';
import type { AnalysedFile } from './file-analysis.js';
import type { LintContext } from './lint-context.js';
import { readSettings, SettingsError } from './settings.js';
import { today } from './today.js';

export interface Accepted {
  readonly accepted: ReadonlySet<Violated>;
  /** What was looked for: `none`: no exception, since there is nothing to accept; `undated`: none was found; `dated`: what they are worth depends on the day. */
  readonly exceptions: 'none' | 'undated' | 'dated';
}

/**
 * The violations of a file that an exception accepts: by a comment in it, or by `step-lock.exceptions.json` in ESLint's working directory or above. What is the matter
 * with an exception is the audit's to tell; one that has expired or lacks its owner accepts nothing here either.
 * @throws {SettingsError} for an exceptions file that cannot be read.
 */
export function acceptedIn(context: LintContext, { file, sites, source: { ts, sourceFile } }: AnalysedFile, rules: readonly RuleDefinition[]): Accepted {
  const all = reported(sites, rules, 'strict');
  if (!all.some(({ outcome }) => outcome.at.file === file)) return { accepted: new Set(), exceptions: 'none' };
  const declared = [...exceptionComments(ts, sourceFile), ...entriesFor(context.cwd)];
  if (declared.length === 0) return { accepted: new Set(), exceptions: 'undated' };
  const { asOf, profile } = readSettings(context.settings);
  const found = reported(sites, rules, profile);
  const shown = new Set(found.map(({ outcome }) => outcome));
  // As the audit counts: the fingerprints of what the profile reports come first.
  const violations = [...violationsOf(found), ...violationsOf(all).filter(({ outcome }) => !shown.has(outcome))];
  const judged = judgeExceptions(declared, violations.filter((v) => v.outcome.at.file === file), { asOf: asOf ?? today(), known: rules.map(({ id }) => id), wasLookedFor: () => true, oneFile: true });
  return { accepted: new Set(judged.filter(accepts).flatMap((exception) => exception.violations.map(({ outcome }) => outcome))), exceptions: 'dated' };
}

interface Violation extends Acceptable { readonly outcome: Violated }

function violationsOf(found: readonly Reported[]): Violation[] {
  const prints = fingerprints(found);
  return found.map(({ rule, site, outcome }, at) => ({ rule: rule.id, fingerprint: prints[at] ?? '', file: slashed(outcome.at.file), line: outcome.at.line, fn: site.name, outcome }));
}

interface Entries { readonly stamp: string; readonly entries: readonly DeclaredException[] }

/** By path of the file. An editor keeps the process alive for days: the time of the file tells whether it is still the same. */
const read = new Map<string, Entries>();

function entriesFor(cwd: string): readonly DeclaredException[] {
  const path = findExceptions(cwd);
  if (path === undefined) return [];
  try {
    const { mtimeMs, size } = statSync(path);
    const stamp = `${String(mtimeMs)} ${String(size)}`;
    const held = read.get(path);
    if (held?.stamp === stamp) return held.entries;
    const entries = loadExceptions(path);
    read.set(path, { stamp, entries });
    return entries;
  } catch (error) {
    throw error instanceof ConfigMistake ? new SettingsError(`${error.message} ${error.nextStep}`) : error;
  }
}

function slashed(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}
