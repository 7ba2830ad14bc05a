import { join } from 'node:path';
import { cacheFolder } from '../audit/cache-folder.js';
import { digestOf } from '../audit/digest.js';
import { readKept, writeKept } from '../audit/kept-file.js';
import { openCache, type AuditCache } from './audit-cache.js';
import type { AuditFlags } from './audit-options.js';
import type { ExitCode } from './exit-code.js';
import type { Terminal } from './terminal.js';
import { toolDigest } from './tool-digest.js';
import { checkReportFlags } from './written-report.js';

/** What a command line of `audit` was read as. */
interface KnownCommand {
  readonly paths: readonly string[];
  readonly flags: AuditFlags;
}

/** How far a command line came without having been read: to its end, or to what its cache holds. */
export type Rerun = { readonly code: ExitCode } | { readonly cache: AuditCache | undefined };

/**
 * Runs a command line of `audit` that was run before in this folder as it was read then, where nothing has moved: to read it anew costs a third of such a run.
 * Whatever goes wrong is left to the usual way, which tells it.
 */
export function rerun(args: readonly string[], terminal: Terminal): Rerun {
  try {
    const path = pathOf(args, terminal);
    const back = path === undefined ? undefined : readKept(path, toolDigest());
    if (back?.kind !== 'whole') return NOTHING;
    // Its digest held: it is what `remember` wrote.
    const { paths, flags } = JSON.parse(back.body) as KnownCommand;
    checkReportFlags(flags);
    const cache = openCache(paths, flags, terminal);
    const code = cache?.replay();
    return code === undefined ? { cache } : { code };
  } catch {
    return NOTHING;
  }
}

/** Keeps what a command line was read as. */
export function remember(args: readonly string[], command: KnownCommand, terminal: Terminal): void {
  const path = pathOf(args, terminal);
  if (path !== undefined) writeKept(path, toolDigest(), JSON.stringify(command));
}

const NOTHING: Rerun = { cache: undefined };

function pathOf(args: readonly string[], { cwd, env }: Terminal): string | undefined {
  if (args[0] !== 'audit' || args.includes('--no-cache')) return undefined;
  const at = args.findIndex((arg) => /^--cache-location(?:=|$)/.test(arg));
  const named = at === -1 ? undefined : args[at]?.split('=').slice(1).join('=') || args[at + 1];
  const folder = cacheFolder(cwd, env, named);
  return folder === undefined ? undefined : join(folder, `${digestOf(JSON.stringify([cwd, args])).slice(0, 16)}.args.kept`);
}
