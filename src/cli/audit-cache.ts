import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { cacheFolder } from '../audit/cache-folder.js';
import { digestOf } from '../audit/digest.js';
import { foldersAbove, absolutePath } from '../audit/file-path.js';
import { keptAudit, type KeptAudit, type Seen } from '../audit/kept-audit.js';
import { configPath, isSelfContained } from '../config/find-config.js';
import { BASELINE_FILE } from '../exceptions/baseline-file.js';
import { findExceptions } from '../exceptions/find-exceptions.js';
import type { AuditFlags } from './audit-options.js';
import { dayOf } from './day.js';
import { codeOf, type Earnings, type ExitCode } from './exit-code.js';
import { hostReporter, printedFormats } from './post-flags.js';
import type { Terminal } from './terminal.js';
import { toolDigest } from './tool-digest.js';
import { deliver, isColored, type WrittenReport } from './written-report.js';

/** A report that was printed, with what the run told beside it: what a run that finds nothing moved prints again. */
export interface PrintedReport {
  readonly reports: readonly WrittenReport[];
  /** What was told on stderr of the baseline. */
  readonly told: string;
  readonly earnings: Earnings;
}

/** The cache as the command line uses it. */
export interface AuditCache {
  readonly kept: KeptAudit;
  readonly seen: Seen | undefined;
  /** Prints what an earlier run printed of the very same; undefined where there is no such run. */
  replay(): ExitCode | undefined;
  /** Keeps what was printed of a tree. */
  record(id: string, printed: PrintedReport): void;
}

/** Opens the cache of an audit and looks at what moved since; undefined where nothing is to be kept, or there is no place for it. */
export function openCache(paths: readonly string[], flags: AuditFlags, terminal: Terminal): AuditCache | undefined {
  const opened = openKept('audit', paths, flags, terminal);
  if (opened === undefined) return undefined;
  const kept = opened;
  const seen = kept.look();
  return { kept, seen, replay, record };

  function replay(): ExitCode | undefined {
    const name = seen?.treeId === undefined ? undefined : reportName(seen.treeId, flags, terminal);
    const text = name === undefined ? undefined : kept.aside(name).read();
    if (text === undefined) return undefined;
    // Its digest held: it is what `record` wrote.
    const { reports, told, earnings } = JSON.parse(text) as PrintedReport;
    terminal.stderr.write(told);
    deliver(reports, flags, terminal);
    tellNothingJudged(earnings, flags, terminal);
    return codeOf(earnings, flags);
  }

  function record(id: string, printed: PrintedReport): void {
    const name = reportName(id, flags, terminal);
    if (name !== undefined) kept.aside(name).write(JSON.stringify(printed));
  }
}

/** What was kept of the audits of these paths with these flags; undefined where nothing is to be kept, or there is no place for it. */
export function openKept(command: 'audit' | 'review', paths: readonly string[], flags: AuditFlags, terminal: Terminal): KeptAudit | undefined {
  const folder = flags.cache ? cacheFolder(terminal.cwd, terminal.env, flags.cacheLocation ?? flags.cacheFolder) : undefined;
  if (folder === undefined) return undefined;
  const name = JSON.stringify([command, terminal.cwd, paths, flags.includeTests, flags.includeGenerated, flags.includeDeclarations, flags.rules, flags.config, gitEnvironment()]);
  let isTold = flags.quiet;
  return keptAudit(folder, {
    name, tool: toolDigest(),
    onUseless: (why) => {
      if (!isTold) terminal.stderr.write(`step-lock: the cache in ${folder} ${WHY[why]}; everything is judged anew.\n`);
      isTold = true;
    },
  });
}

const WHY = { broken: 'cannot be read', foreign: 'is of another version of step-lock' } as const;

/** A moved folder or a wrong glob must not pass for a clean code base. */
export function tellNothingJudged({ verdict }: Pick<Earnings, 'verdict'>, { requireJudged }: AuditFlags, { stderr }: Terminal): void {
  if (requireJudged && verdict === 'nothing-seen') stderr.write('step-lock: no lock and no state write was judged, and --require-judged asks for some. The report names what was searched.\n');
}

/** What tells the report of a tree from all others: everything it rests on beside the tree. Undefined: the run does more than print one, or cannot be told beforehand. */
function reportName(id: string, flags: AuditFlags, terminal: Terminal): string | undefined {
  const doesMore = flags.ledger !== undefined || flags.protocol !== undefined || flags.minSites !== undefined || flags.check === true || flags.fixDryRun === true
    || flags.updateBaseline === true || flags.prune === true || hostReporter(flags) !== undefined;
  if (doesMore) return undefined;
  const config = configPath(terminal.cwd, flags.config);
  const configText = config === undefined ? '' : textOf(config);
  if (config !== undefined && (configText === undefined || !isSelfContained(config, configText))) return undefined;
  const baseline = flags.baseline === false ? false : resolve(terminal.cwd, flags.baseline ?? BASELINE_FILE);
  const owners = [absolutePath(terminal.cwd, '.'), ...foldersAbove(absolutePath(terminal.cwd, '.'))].flatMap((folder) => ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'].map((file) => join(folder, file)));
  const files = [config, findExceptions(terminal.cwd), ...(baseline === false ? [] : [baseline]), ...owners].map((path) => (path === undefined ? path : [path, digestIfThere(path)]));
  return JSON.stringify([id, printedFormats(flags), isColored(flags, terminal), flags.profile, flags.certainty, dayOf(flags.asOf), flags.baseline, files]);
}

function digestIfThere(path: string): string {
  const text = textOf(path);
  return text === undefined ? '' : digestOf(text);
}

function textOf(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** What else tells git which files there are. */
function gitEnvironment(): [string, string | undefined][] {
  return Object.entries(process.env).filter(([name]) => name.startsWith('GIT_') || name === 'HOME' || name === 'XDG_CONFIG_HOME').sort(([a], [b]) => (a < b ? -1 : 1));
}
