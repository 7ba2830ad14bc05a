import { rules } from '../../rules/index.js';

/** One line a rule: id, skill row, profile and summary. */
export function listRules(): string {
  const width = Math.max(0, ...rules.map(({ id }) => id.length));
  return rules.map((rule) => `${rule.id.padEnd(width)}  ${rule.skill}  ${rule.profile.padEnd(11)}  ${rule.summary}\n`).join('');
}
