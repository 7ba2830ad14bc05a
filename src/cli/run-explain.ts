import { existsSync } from 'node:fs';
import { rules } from '../../rules/index.js';
import { audit } from '../audit/audit.js';
import { absolutePath } from '../audit/file-path.js';
import { UserMistake } from '../audit/user-mistake.js';
import { loadConfig } from '../config/load-config.js';
import { mergeModels } from '../config/merge-models.js';
import { builtInModels } from '../models/index.js';
import { explainException } from './explain-exception.js';
import { explainPlace } from './explain-place.js';
import { explainRule } from './explain-rule.js';
import type { ExitCode } from './exit-code.js';
import { createProgress } from './progress.js';
import type { Terminal } from './terminal.js';

/** The flags of `explain` as commander hands them over. */
export interface ExplainFlags {
  readonly dot: boolean;
  /** Print the exceptions that would accept the finding. */
  readonly exception: boolean;
  readonly asOf?: string;
  readonly quiet: boolean;
}

/**
 * Prints the page of a rule, or how one line was judged.
 * @throws {UserMistake} for what is neither a rule nor a line of a file.
 */
export async function runExplain(what: string, paths: readonly string[], flags: ExplainFlags, terminal: Terminal): Promise<ExitCode> {
  if (flags.exception) {
    terminal.stdout.write(await explainException(what, paths, flags, terminal));
    return 0;
  }
  const place = placeOf(what);
  terminal.stdout.write(place === undefined ? explainRule(what) : await explained(place, paths, flags, terminal));
  return 0;
}

interface AskedPlace { readonly file: string; readonly line: number }

/** `file:line` or `file:line:column`, as every report prints it. A name with a colon in it is a file as long as a number follows. */
function placeOf(what: string): AskedPlace | undefined {
  const parts = /^(?<file>.+?):(?<line>\d+)(?::\d+)?$/u.exec(what)?.groups;
  return parts?.file === undefined || parts.line === undefined ? undefined : { file: parts.file, line: Number(parts.line) };
}

async function explained(place: AskedPlace, paths: readonly string[], flags: ExplainFlags, terminal: Terminal): Promise<string> {
  const file = absolutePath(terminal.cwd, place.file);
  if (!existsSync(file)) throw new UserMistake(`There is no file \`${place.file}\`.`, 'Give the path as the report prints it, seen from the working directory.');
  // The file itself is named, so that a test or a generated file is judged too when someone asks for it.
  const program = [...(paths.length === 0 ? ['.'] : paths), place.file];
  const progress = createProgress(terminal, flags.quiet);
  try {
    const { config } = await loadConfig(terminal.cwd);
    const result = await audit({ cwd: terminal.cwd, paths: program, models: mergeModels(builtInModels, config), rules, lookAt: { file, line: place.line }, onProgress: progress.step });
    const { view } = result;
    if (view === undefined) throw new UserMistake(`\`${place.file}\` has no line ${String(place.line)} that can be read.`, 'Give a line of the file, counted from 1.');
    if (!flags.dot) return explainPlace({ file, line: place.line, view, result, rules });
    if (view.dot === undefined) throw new UserMistake(`The function at \`${place.file}:${String(place.line)}\` is too large for a flow graph.`, 'Explain the place without --dot.');
    return view.dot;
  } finally {
    progress.end();
  }
}
