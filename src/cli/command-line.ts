import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Share } from '../audit/shares.js';
import { UserMistake } from '../audit/user-mistake.js';
import { ConfigMistake } from '../config/config-mistake.js';
import type { AuditCache } from './audit-cache.js';
import type { ExitCode } from './exit-code.js';
import { postOptions } from './post-options.js';
import { formatOption } from './format-option.js';
import type { ExplainFlags } from './run-explain.js';
import type { CommandLine } from './run-audit.js';
import type { ReviewFlags } from './run-review.js';
import type { InitFlags } from './run-init.js';
import type { LedgerFlags } from './run-ledger.js';
import type { ShardFlags } from './run-shard.js';
import type { Terminal } from './terminal.js';
import { packageVersion } from './version.js';

/**
 * Runs one command line. Commands load their code when they run: `--help` and `--version` must not wait for TypeScript.
 * @param args What follows the program's name.
 * @param cache The cache of an audit, if it was looked at already.
 * @returns The exit code. Never throws: mistakes and defects are told on stderr.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal, cache?: AuditCache): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(terminal, (earned) => { code = earned; }, { args, cache });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return tell(error, terminal);
  }
}

/** The commands and their flags. `earn` gets the exit code of the command that ran. */
export function createProgram(terminal: Terminal, earn: (code: ExitCode) => void, line: CommandLine = { args: [], cache: undefined }): Command {
  const program = new Command('step-lock')
    .description('Finds broken distributed-lock and compare-and-swap protocols around step state in TypeScript and JavaScript.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .showHelpAfterError('Run `step-lock --help` or `step-lock <command> --help` for what there is.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.stdout.write(text), writeErr: (text) => terminal.stderr.write(text) });

  const auditCommand = program.command('audit')
    .description('judge every lock and every state write of the given files and folders')
    .argument('[paths...]', 'files or folders (default: the working directory)')
    .addOption(formatOption())
    .option('--output-file <file>', 'write the report to a file instead of stdout')
    .option('--output-dir <folder>', 'write the report, or several, to this folder as step-lock.html, step-lock.md, step-lock.json, step-lock.txt')
    .addOption(new Option('--profile <profile>', 'which violations become findings (default: as configured, else recommended)').choices(['recommended', 'strict']))
    .addOption(new Option('--certainty <certainty>', 'the least certainty that is reported').choices(['certain', 'likely', 'possible']))
    .option('--config <file>', 'the configuration (default: step-lock.config.* here or in a folder above)')
    .option('--rules <ids>', 'judge these rules only, separated by commas')
    .addOption(new Option('--fail-on <severity>', 'exit with 1 from this severity on').choices(['error', 'warning', 'never']).default('error'))
    .addOption(new Option('--max-warnings <n>', 'exit with 1 when there are more warnings than that').argParser(wholeNumber))
    .option('--require-judged', 'exit with 2 when no lock and no state write was seen', false)
    .option('--as-of <date>', 'judge exceptions as of this day, YYYY-MM-DD (default: today)')
    .option('--baseline <file>', 'findings in this file are counted and do not fail (default: step-lock.baseline.json where it is there)')
    .option('--no-baseline', 'count no finding as old')
    .option('--update-baseline', 'take the findings of this run up into the baseline', false)
    .option('--prune', 'drop what is no longer found from the baseline', false)
    .option('--fix-dry-run', 'print the fixes that were checked, as unified diffs, in place of the report; nothing is written', false)
    .option('--ledger <file>', 'append to this file what the run opened and what closed the rest, one line a run')
    .option('--include-tests', 'judge tests, mocks and fixtures too', false)
    .option('--include-generated', 'judge generated and minified files too', false)
    .option('--include-declarations', 'judge declaration files too', false)
    .option('--quiet', 'no progress on stderr', false)
    .option('--no-cache', 'judge everything anew, and keep nothing for the next run')
    .option('--cache-location <folder>', 'where what was found is kept for the next run (default: node_modules/.cache/step-lock, else in .git, else the folder for caches of the user)')
    .option('--no-color', 'no colours in the text report')
    .option('--protocol <file>', 'write the protocol file: every lock, every state target with its writers, and the counts of sites')
    .option('--check', 'compare the protocol file, write nothing, and exit with 1 when it is stale', false)
    .option('--min-sites <n>', 'exit with 1 when fewer sites were judged')
    .option('--shard <i/n>', 'judge the i-th of n shares of the files, as one of n machines does, and leave the report to `step-lock merge`', shareOf)
    .addOption(shardDirOption())
    .action(async (paths: string[], flags: ShardFlags) => {
      if (flags.shard !== undefined) {
        const { runShard } = await import('./run-shard.js');
        earn(await runShard(paths, flags, flags.shard, terminal));
        return;
      }
      const { runAudit } = await import('./run-audit.js');
      earn(await runAudit(paths, flags, terminal, line));
    });

  for (const option of postOptions()) auditCommand.addOption(option);

  const mergeCommand = program.command('merge')
    .description('join what `audit --shard` wrote on several machines, and report as one `audit` does; takes the flags that the shards were given, and those of the report')
    .argument('[paths...]', 'the files or folders that the shards were given (default: the working directory)')
    .action(async (paths: string[], flags: ShardFlags) => {
      const { runMerge } = await import('./run-shard.js');
      earn(await runMerge(paths, flags, terminal));
    });
  const notOfMerge = new Set(['--shard', '--no-cache', '--cache-location']);
  for (const option of auditCommand.options) if (!notOfMerge.has(option.long ?? '')) mergeCommand.addOption(option);

  const reviewCommand = program.command('review')
    .description('judge what a change brought: the work tree against its merge base with a ref')
    .argument('[paths...]', 'files or folders (default: the working directory)')
    .requiredOption('--base <ref>', 'the branch, tag or commit that the change goes into, such as origin/main')
    .option('--all', 'list the findings that were there before too', false)
    .addOption(new Option('--cache-folder <folder>', 'the former name of --cache-location').hideHelp())
    .action(async (paths: string[], flags: ReviewFlags) => {
      const { runReview } = await import('./run-review.js');
      earn(await runReview(paths, flags, terminal));
    });
  const ofAudit = new Set(['--protocol', '--check', '--update-baseline', '--prune', '--ledger', '--fix-dry-run', '--shard', '--shard-dir']);
  for (const option of auditCommand.options) if (!ofAudit.has(option.long ?? '')) reviewCommand.addOption(option);

  program.command('init')
    .description('scan the code, show locks, wrappers, state with its writers and look-alikes, and write a commented configuration')
    .argument('[paths...]', 'files or folders (default: the working directory)')
    .option('--dry-run', 'print the configuration and write nothing', false)
    .option('--force', 'write over a configuration that is there', false)
    .option('--quiet', 'no progress on stderr', false)
    .action(async (paths: string[], flags: InitFlags) => {
      const { runInit } = await import('./run-init.js');
      earn(await runInit(paths, flags, terminal));
    });

  program.command('explain')
    .description('print the page of a rule, or tell how a place was judged')
    .argument('<rule|file:line>', 'a rule id, or a place such as `src/worker.ts:41`')
    .argument('[paths...]', 'the files or folders that count as the program (default: the working directory)')
    .option('--exception', 'print the exception that accepts the finding at the place, to copy; a fingerprint or the id of a finding names it too', false)
    .option('--as-of <date>', 'the day from which a proposed exception holds, YYYY-MM-DD (default: today)')
    .option('--dot', 'print the flow graph of the function at the place, for Graphviz', false)
    .option('--quiet', 'no progress on stderr', false)
    .action(async (what: string, paths: string[], flags: ExplainFlags) => {
      const { runExplain } = await import('./run-explain.js');
      earn(await runExplain(what, paths, flags, terminal));
    });

  program.command('ledger')
    .description('check that a ledger was only appended to, and show what it says')
    .argument('<file>', 'the file that was given to `audit --ledger`')
    .option('--finding <fingerprint>', 'show the record of one finding: when it was opened and what closed it')
    .option('--head <hash>', 'the hash of a line that was seen before: it must still be there')
    .action(async (file: string, flags: LedgerFlags) => {
      const { runLedger } = await import('./run-ledger.js');
      earn(runLedger(file, flags, terminal));
    });

  program.command('rules')
    .description('list the rules')
    .action(async () => {
      const { listRules } = await import('./list-rules.js');
      terminal.stdout.write(listRules());
    });
  return program;
}

function shardDirOption(): Option {
  return new Option('--shard-dir <folder>', 'where shards are written, and where `merge` looks for them').default('step-lock-shards');
}

function shareOf(text: string): Share {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of) throw new InvalidArgumentError('It is a share such as 2/4: the second of four, counted from 1.');
  return { index, of };
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is a whole number, 0 or more.');
  return Number(text);
}

function tell(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) {
    // Commander has told it already. Help and version that were asked for are no mistakes; it gives every mistake 1.
    return error.exitCode === 0 ? 0 : 2;
  }
  if (error instanceof UserMistake || error instanceof ConfigMistake) {
    terminal.stderr.write(`step-lock: ${error.message} ${error.nextStep}\n`);
    return 2;
  }
  const stack = error instanceof Error ? error.stack ?? error.message : String(error);
  terminal.stderr.write(`step-lock broke down. This is a defect of step-lock; please report it with these lines:\n${stack}\n`);
  return 2;
}
