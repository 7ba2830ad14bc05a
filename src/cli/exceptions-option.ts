import { UserMistake } from '../audit/user-mistake.js';
import type { AuditResult } from '../audit/audit.js';
import { absolutePath } from '../audit/file-path.js';
import { isDate } from '../exceptions/dates.js';
import { findExceptions, loadExceptions } from '../exceptions/load-exceptions.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { ExceptionOptions } from '../review/exceptions.js';

/**
 * The day at which exceptions are judged: that of `--as-of`, else today (UTC). The one place that looks at the clock.
 * @throws {UserMistake} for what is no day.
 */
export function dayOf(asOf: string | undefined): string {
  if (asOf === undefined) return new Date().toISOString().slice(0, 10);
  if (!isDate(asOf)) throw new UserMistake(`\`${asOf}\` is no day of the calendar.`, 'Give --as-of a day like 2027-03-01, or leave it out for today.');
  return asOf;
}

/**
 * All exceptions that hold for an audit: those in comments of the judged files, and those of the exceptions file.
 * @param paths The paths that were audited, as the user gave them.
 * @throws {ConfigMistake} for an exceptions file that cannot be read.
 */
export function exceptionsOf(cwd: string, paths: readonly string[], result: AuditResult, known: readonly RuleDefinition[]): ExceptionOptions {
  const path = findExceptions(cwd);
  const entries = path === undefined ? [] : loadExceptions(absolutePath(cwd, path));
  const isHere = path !== undefined && absolutePath(path, '..') === result.root;
  return {
    declared: [...result.exceptions, ...entries],
    known: known.map(({ id }) => id),
    judgedFiles: result.judged,
    // An entry may speak of a file that was not asked for.
    whole: isHere && isWhole(cwd, paths),
  };
}

/** Whether the paths are the whole working directory. */
export function isWhole(cwd: string, paths: readonly string[]): boolean {
  const root = absolutePath(cwd, '.');
  return paths.length === 0 || paths.some((path) => absolutePath(cwd, path) === root);
}
