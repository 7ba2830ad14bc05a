import type { AuditResult } from '../audit/audit.js';
import { absolutePath } from '../audit/file-path.js';
import { findExceptions } from '../exceptions/find-exceptions.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { ExceptionOptions } from '../review/exceptions.js';

/**
 * All exceptions that hold for an audit: those in comments of the judged files, and those of the exceptions file.
 * @param paths The paths that were audited, as the user gave them.
 * @throws {ConfigMistake} for an exceptions file that cannot be read.
 */
export async function exceptionsOf(cwd: string, paths: readonly string[], result: AuditResult, known: readonly RuleDefinition[]): Promise<ExceptionOptions> {
  const path = findExceptions(cwd);
  const entries = path === undefined ? [] : (await import('../exceptions/load-exceptions.js')).loadExceptions(absolutePath(cwd, path));
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
