import { Command, CommanderError, Option } from 'commander';
import { UserMistake } from '../audit/user-mistake.js';
import { ConfigMistake } from '../config/config-mistake.js';
import type { AuditFlags } from './audit-options.js';
import type { ExitCode } from './exit-code.js';
import { postOptions } from './post-options.js';
import type { ExplainFlags } from './run-explain.js';
import type { ReviewFlags } from './run-review.js';
import type { InitFlags } from './run-init.js';
import type { Terminal } from './terminal.js';
import { packageVersion } from './version.js';

/**
 * Runs one command line. Commands load their code when they run: `--help` and `--version` must not wait for TypeScript.
 * @param args What follows the program's name.
 * @returns The exit code. Never throws: mistakes and defects are told on stderr.
 */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(terminal, (earned) => { code = earned; });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    return tell(error, terminal);
  }
}

/** The commands and their flags. `earn` gets the exit code of the command that ran. */
export function createProgram(terminal: Terminal, earn: (code: ExitCode) => void): Command {
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
    .addOption(new Option('--format <format>', 'how the report is written').choices(['text', 'json', 'markdown', 'sarif', 'gitlab', 'rdjson', 'github-annotations']).default('text'))
    .option('--output-file <file>', 'write the report to a file instead of stdout')
    .addOption(new Option('--profile <profile>', 'which violations become findings (default: as configured, else recommended)').choices(['recommended', 'strict']))
    .addOption(new Option('--certainty <certainty>', 'the least certainty that is reported').choices(['certain', 'likely', 'possible']))
    .option('--config <file>', 'the configuration (default: step-lock.config.* here or in a folder above)')
    .option('--rules <ids>', 'judge these rules only, separated by commas')
    .addOption(new Option('--fail-on <severity>', 'exit with 1 from this severity on').choices(['error', 'warning', 'never']).default('error'))
    .option('--require-judged', 'exit with 2 when no lock and no state write was seen', false)
    .option('--include-tests', 'judge tests, mocks and fixtures too', false)
    .option('--include-generated', 'judge generated and minified files too', false)
    .option('--include-declarations', 'judge declaration files too', false)
    .option('--quiet', 'no progress on stderr', false)
    .option('--no-color', 'no colours in the text report')
    .option('--protocol <file>', 'write the protocol file: every lock, every state target with its writers, and the counts of sites')
    .option('--check', 'compare the protocol file, write nothing, and exit with 1 when it is stale', false)
    .option('--min-sites <n>', 'exit with 1 when fewer sites were judged')
    .action(async (paths: string[], flags: AuditFlags) => {
      const { runAudit } = await import('./run-audit.js');
      earn(await runAudit(paths, flags, terminal));
    });

  for (const option of postOptions()) auditCommand.addOption(option);

  const reviewCommand = program.command('review')
    .description('judge what a change brought: the work tree against its merge base with a ref')
    .argument('[paths...]', 'files or folders (default: the working directory)')
    .requiredOption('--base <ref>', 'the branch, tag or commit that the change goes into, such as origin/main')
    .option('--all', 'list the findings that were there before too', false)
    .option('--no-cache', 'judge the base anew too')
    .option('--cache-folder <folder>', 'where what was found of the base is kept (default: node_modules/.cache/step-lock, else in .git)')
    .action(async (paths: string[], flags: ReviewFlags) => {
      const { runReview } = await import('./run-review.js');
      earn(await runReview(paths, flags, terminal));
    });
  const ofAudit = new Set(['--protocol', '--check']);
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
    .option('--dot', 'print the flow graph of the function at the place, for Graphviz', false)
    .option('--quiet', 'no progress on stderr', false)
    .action(async (what: string, paths: string[], flags: ExplainFlags) => {
      const { runExplain } = await import('./run-explain.js');
      earn(await runExplain(what, paths, flags, terminal));
    });

  program.command('rules')
    .description('list the rules')
    .action(async () => {
      const { listRules } = await import('./list-rules.js');
      terminal.stdout.write(listRules());
    });
  return program;
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
