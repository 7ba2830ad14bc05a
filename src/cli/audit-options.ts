import type { Certainty } from '../engine/judge/outcome.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import { UserMistake } from '../audit/user-mistake.js';
import type { Profile } from '../review/types.js';
import type { BaselineFlags } from './baseline-option.js';
import type { ProtocolFlags } from './protocol-file.js';
import type { FailOn } from './exit-code.js';
import type { ReportFlags } from './written-report.js';

/** The flags of `audit` as commander hands them over. */
export interface AuditFlags extends ReportFlags, BaselineFlags, ProtocolFlags {
  /** Undefined: as the configuration says. */
  readonly profile?: Profile;
  readonly certainty?: Certainty;
  readonly config?: string;
  readonly rules?: string;
  readonly failOn: FailOn;
  readonly maxWarnings?: number;
  readonly requireJudged: boolean;
  /** The day exceptions are judged at; undefined: today. */
  readonly asOf?: string;
  /** Print the checked fixes as diffs in place of the report. */
  readonly fixDryRun?: boolean;
  /** The file to which the run is appended. */
  readonly ledger?: string;
  readonly includeTests: boolean;
  readonly includeGenerated: boolean;
  readonly includeDeclarations: boolean;
  readonly quiet: boolean;
  /** False: judge all anew and keep nothing. */
  readonly cache: boolean;
  /** Where what was found is kept for the next run; undefined: where such things are kept. */
  readonly cacheLocation?: string;
  /** What `cacheLocation` was called before. */
  readonly cacheFolder?: string;
}

/**
 * The rules that `--rules a,b` asks for, in the order of the table; all of them without the flag.
 * @throws {UserMistake} for a name that is no rule.
 */
export function chosenRules(all: readonly RuleDefinition[], list: string | undefined): readonly RuleDefinition[] {
  if (list === undefined) return all;
  const wanted = new Set(list.split(',').map((id) => id.trim()).filter((id) => id !== ''));
  const unknown = [...wanted].find((id) => !all.some((rule) => rule.id === id));
  if (unknown !== undefined) {
    throw new UserMistake(`There is no rule \`${unknown}\`.`, `\`step-lock rules\` lists the ${all.length} rules there are.`);
  }
  if (wanted.size === 0) throw new UserMistake('`--rules` names no rule.', 'Give one or more rule ids, separated by commas, or leave the flag out.');
  return all.filter((rule) => wanted.has(rule.id));
}
