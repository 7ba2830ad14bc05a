import { openCache, type AuditCache } from './audit-cache.js';
import type { AuditFlags } from './audit-options.js';
import type { ExitCode } from './exit-code.js';
import { remember } from './known-command.js';
import type { Terminal } from './terminal.js';
import { checkReportFlags } from './written-report.js';

/** The command line as it was given, and the cache if it was looked at already. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly cache: AuditCache | undefined;
}

/**
 * Audits the paths, writes the report to stdout or to a file, and tells the exit code. Where nothing has moved since a run that printed the same report, nothing of
 * the engine is loaded.
 * @throws {UserMistake} for a path, a rule or an output file that cannot be used.
 * @throws {ConfigMistake} for a configuration that cannot be read.
 */
export async function runAudit(paths: readonly string[], flags: AuditFlags, terminal: Terminal, { args, cache: known }: CommandLine): Promise<ExitCode> {
  checkReportFlags(flags);
  const cache = known ?? openCache(paths, flags, terminal);
  const code = (known === undefined ? cache?.replay() : undefined) ?? await (await import('./audit-anew.js')).auditAnew(paths, flags, terminal, cache);
  if (cache !== undefined) remember(args, { paths, flags }, terminal);
  return code;
}
