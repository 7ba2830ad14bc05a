import type { RuleDefinition } from '../engine/judge/rule.js';
import { DIMENSIONS, SKILL_ROWS, VERIFICATION_CASES, type DimensionId, type SkillId, type VerificationId } from '../skill/skill.js';
import { rowStatus, tally, type Judged } from './tally.js';
import { dimensionOwner } from './dimension-owner.js';
import type { DimensionRow, SkillRow, VerificationRow } from './types.js';

/** One row a skill id, from the outcomes of all its rules at all sites, whatever the profile reports. */
export function skillRows(judged: readonly Judged[]): SkillRow[] {
  return ids<SkillId>(SKILL_ROWS).map((id) => {
    const counts = tally(judged.filter(({ rule }) => rule.skill === id));
    return { id, status: rowStatus(counts), ...counts };
  });
}

/**
 * One row a dimension: what was seen, what is expected, and where the two differ.
 * @param ownerOf Who answers for the place of an outcome.
 */
export function dimensionRows(judged: readonly Judged[], rules: readonly RuleDefinition[], ownerOf: (judged: Judged) => string | undefined = () => undefined): DimensionRow[] {
  return ids<DimensionId>(DIMENSIONS).map((id) => {
    const own = judged.filter(({ rule, outcome }) => rule.dimension === id && outcome.status !== 'not-applicable');
    const counts = tally(own);
    const ownRules = rules.filter((rule) => rule.dimension === id);
    const owner = dimensionOwner(own, ownerOf);
    return {
      id,
      evidence: evidence(own),
      current: own.length === 0 ? 'nothing judged' : `${counts.verified} verified, ${counts.violated} violated, ${counts.unknown} unknown`,
      expected: ownRules.length === 0 ? `${DIMENSIONS[id]}: no rule judges it yet` : `${ownRules.map((rule) => rule.id).join(', ')} verified at every place`,
      difference: difference(own),
      ...(owner === undefined ? {} : { owner }),
      validation: [...new Set(ownRules.flatMap((rule) => rule.validation))].sort(),
      status: rowStatus(counts),
    };
  });
}

/** The verification cases. No search for tests exists yet, so that nothing can be said of any. */
export function verificationRows(): VerificationRow[] {
  return ids<VerificationId>(VERIFICATION_CASES).map((id) => ({ id, status: 'unknown', evidence: 'no test of this case was looked for' }));
}

function evidence(own: readonly Judged[]): string {
  const places = new Set(own.map(({ site }) => site)).size;
  if (places === 0) return 'no place of this dimension was seen';
  return `${own.length} ${own.length === 1 ? 'outcome' : 'outcomes'} at ${places} ${places === 1 ? 'place' : 'places'}`;
}

function difference(own: readonly Judged[]): string {
  const open = new Map<string, { violated: number; unknown: number }>();
  for (const { rule, outcome } of own) {
    if (outcome.status !== 'violated' && outcome.status !== 'unknown') continue;
    const counts = open.get(rule.id) ?? { violated: 0, unknown: 0 };
    counts[outcome.status]++;
    open.set(rule.id, counts);
  }
  if (open.size === 0) return own.length === 0 ? 'unknown' : 'none';
  return [...open].sort(([a], [b]) => (a < b ? -1 : 1)).map(([rule, { violated, unknown }]) => `${rule}: ${violated} violated, ${unknown} unknown`).join('; ');
}

/** Object.keys forgets the literal key type; the tables hold exactly these keys. */
function ids<Id extends string>(table: Readonly<Record<Id, string>>): Id[] {
  return Object.keys(table) as Id[];
}
