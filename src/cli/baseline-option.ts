import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { absolutePath, isWithin } from '../audit/file-path.js';
import { UserMistake } from '../audit/user-mistake.js';
import { BASELINE_FILE } from '../exceptions/baseline-file.js';
import type { BaselineEntry } from '../exceptions/baseline.js';
import type { Review } from '../review/types.js';
import { isWhole } from './exceptions-option.js';
import type { Terminal } from './terminal.js';

/** The flags of a baseline as commander hands them over. */
export interface BaselineFlags {
  /** Undefined: `step-lock.baseline.json` where it is there. `false`: none, whatever is there. */
  readonly baseline?: string | false;
  readonly updateBaseline?: boolean;
  readonly prune?: boolean;
}

/**
 * The review with `baseline` at each finding that the baseline holds. Writes the baseline where the flags ask for it, and tells on stderr what it did and what is stale.
 * @param rules The ids of the rules that were judged.
 * @throws {UserMistake} for a file that is not there or cannot be written. @throws {ConfigMistake} for one that cannot be read.
 */
export async function withBaseline(review: Review, flags: BaselineFlags, { paths, rules, terminal }: { readonly paths: readonly string[]; readonly rules: readonly string[]; readonly terminal: Terminal }): Promise<Review> {
  const writes = flags.updateBaseline === true || flags.prune === true;
  if (flags.baseline === false) {
    if (writes) throw new UserMistake('`--no-baseline` leaves no baseline to write.', 'Leave out --no-baseline, or --update-baseline and --prune.');
    return review;
  }
  const name = flags.baseline ?? BASELINE_FILE;
  const path = resolve(terminal.cwd, name);
  if (!existsSync(path) && flags.updateBaseline !== true) {
    if (flags.baseline === undefined && !writes) return review;
    throw new UserMistake(`There is no baseline \`${name}\`.`, 'Write one with --update-baseline, or name the one that is there with --baseline.');
  }
  const { baselineKey, readBaseline, staleEntries, updatedBaseline, writeBaseline } = await import('../exceptions/baseline.js');
  const entries = existsSync(path) ? readBaseline(readFileSync(path, 'utf8'), name) : [];
  const wasLookedFor = lookedFor(review, paths, rules, terminal.cwd);
  const found = review.findings.filter(({ exception }) => exception === undefined);
  const told = (sentence: string): void => { terminal.stderr.write(`step-lock: ${sentence}\n`); };

  const choice = { update: flags.updateBaseline === true, prune: flags.prune === true, wasLookedFor };
  const { entries: now, added, dropped } = updatedBaseline(entries, found, choice);
  if (writes) {
    write(path, name, writeBaseline(now));
    told(`${name} holds ${String(now.length)} ${now.length === 1 ? 'finding' : 'findings'}: ${String(added)} added, ${String(dropped)} dropped.`);
  }
  const stale = staleEntries(now, found, wasLookedFor).length;
  if (stale > 0) told(`${String(stale)} ${stale === 1 ? 'entry' : 'entries'} of ${name} ${stale === 1 ? 'names' : 'name'} no finding any more. --prune drops ${stale === 1 ? 'it' : 'them'}.`);
  return marked(review, now, baselineKey);
}

function marked(review: Review, entries: readonly BaselineEntry[], baselineKey: (entry: Pick<BaselineEntry, 'fingerprint' | 'rule'>) => string): Review {
  const held = new Set(entries.map(baselineKey));
  return { ...review, findings: review.findings.map((finding) => (held.has(baselineKey(finding)) ? { ...finding, baseline: true } : finding)) };
}

/** What a run over a folder or with a few rules does not see is not gone. */
function lookedFor({ scope }: Review, paths: readonly string[], rules: readonly string[], cwd: string): (entry: BaselineEntry) => boolean {
  const roots = isWhole(cwd, paths) ? undefined : paths.map((path) => absolutePath(cwd, path));
  const skipped = new Set(scope.filesSkipped.map(({ file }) => file));
  return ({ rule, file }) => rules.includes(rule) && !skipped.has(file) && (roots === undefined || roots.some((root) => isWithin(root, absolutePath(cwd, file))));
}

function write(path: string, name: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UserMistake(`The baseline cannot be written to \`${name}\` (${error instanceof Error && 'code' in error ? String(error.code) : String(error)}).`, 'Give --baseline the path of a file that can be written.');
  }
}
