import type { DimensionId, SkillId, VerificationId } from '../../skill/skill.js';
import type { Outcome, SubjectKind } from './outcome.js';
import type { Subject } from './subject.js';

/** What a rule is: its words and its judgement. Plugin, configs, README table and report rules are derived from it. */
export interface RuleDefinition {
  /** Kebab-case id, the file's name. */
  readonly id: string;
  readonly skill: SkillId;
  readonly dimension: DimensionId;
  readonly subjects: readonly SubjectKind[];
  /** True for rules that judge row locks too, which end with their transaction and are no acquisitions to the others. */
  readonly judgesRowLocks?: true;
  /** Lock-use rules are errors; state rules are errors only when certain. */
  readonly family: 'lock-use' | 'state';
  /** The profile that switches the rule on. */
  readonly profile: 'recommended' | 'strict';
  /** One sentence for tables and editors. */
  readonly summary: string;
  /** Message templates by id; `{{name}}` is a placeholder. */
  readonly messages: Readonly<Record<string, string>>;
  /** The cases that validate a mend. */
  readonly validation: readonly VerificationId[];
  /** Judges one subject; called only for the kinds in `subjects`. */
  judge(subject: Subject): Outcome;
}

/** Fills a rule's message. A placeholder without a value throws: it is a defect of the rule. */
export function renderMessage(rule: Pick<RuleDefinition, 'id' | 'messages'>, messageId: string, data: Readonly<Record<string, string>>): string {
  const template = rule.messages[messageId];
  if (template === undefined) throw new Error(`rule ${rule.id} has no message ${messageId}`);
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = data[name];
    if (value === undefined) throw new Error(`rule ${rule.id}, message ${messageId}: no value for ${name}`);
    return value;
  });
}
