import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserMistake } from '../audit/user-mistake.js';
import { initConfig, initSummary } from './init-config.js';
import type { ExitCode } from './exit-code.js';
import { auditedReview } from './audit-anew.js';
import type { Terminal } from './terminal.js';

/** The flags of `init` as commander hands them over. */
export interface InitFlags {
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly quiet: boolean;
}

const FILE = 'step-lock.config.mjs';
/** The flags of a plain audit: `init` looks at what `audit` will look at. */
const PLAIN = { failOn: 'never', requireJudged: false, includeTests: false, includeGenerated: false, includeDeclarations: false, cache: false, color: false } as const;

/**
 * Scans the paths, shows what was found and writes a commented configuration into the working directory.
 * @throws {UserMistake} where a configuration stands there already.
 */
export async function runInit(paths: readonly string[], flags: InitFlags, terminal: Terminal): Promise<ExitCode> {
  const target = join(terminal.cwd, FILE);
  const there = ['ts', 'mts', 'js', 'mjs', 'json'].map((e) => `step-lock.config.${e}`).find((name) => existsSync(join(terminal.cwd, name)));
  if (there !== undefined && !flags.force && !flags.dryRun) {
    throw new UserMistake(`There is a \`${there}\` already.`, 'Edit it, see what would be written with --dry-run, or write over it with --force.');
  }
  const { review, result } = await auditedReview(paths, { ...PLAIN, quiet: flags.quiet }, terminal);
  terminal.stdout.write(initSummary(review, result));
  const config = initConfig(review);
  if (flags.dryRun) {
    terminal.stdout.write(`\n${config}`);
    return 0;
  }
  writeFileSync(target, config);
  terminal.stdout.write(`\nWrote ${FILE}. What it leaves in comments is for you to decide; \`step-lock explain <file:line>\` tells how a place is judged.\n`);
  return 0;
}
