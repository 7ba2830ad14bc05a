import { openCache } from './audit-cache.js';
import type { AuditFlags } from './audit-options.js';
import type { ExitCode } from './exit-code.js';
import type { Terminal } from './terminal.js';
import { checkReportFlags } from './written-report.js';

/**
 * Audits the paths, writes the report to stdout or to a file, and tells the exit code. Where nothing has moved since a run that printed the same report, nothing of
 * the engine is loaded.
 * @throws {UserMistake} for a path, a rule or an output file that cannot be used.
 * @throws {ConfigMistake} for a configuration that cannot be read.
 */
export async function runAudit(paths: readonly string[], flags: AuditFlags, terminal: Terminal): Promise<ExitCode> {
  checkReportFlags(flags);
  const cache = openCache(paths, flags, terminal);
  const code = cache?.replay();
  if (code !== undefined) return code;
  const { auditAnew } = await import('./audit-anew.js');
  return auditAnew(paths, flags, terminal, cache);
}
