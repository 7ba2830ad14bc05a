import type { DimensionId, SkillId, VerificationId } from '../skill/skill.js';

/** A rule as reports name it: the rule's own data, handed in, since a report imports no rule. */
export interface ReportRule {
  readonly id: string;
  readonly skill: SkillId;
  readonly dimension: DimensionId;
  readonly family: 'lock-use' | 'state';
  readonly profile: 'recommended' | 'strict';
  /** One sentence. */
  readonly summary: string;
  readonly validation: readonly VerificationId[];
  /** The rule's page, Markdown; missing where the package does not carry it. */
  readonly page?: string;
  /** The public address of the page, an absolute URI; missing where there is none. */
  readonly address?: string;
}
