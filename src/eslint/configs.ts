import type { ESLint, Linter } from 'eslint';
import type { Profile } from '../engine/judge/reported.js';
import { NAMESPACE } from './package-meta.js';
import type { RuleWords } from './rule-words.js';

/**
 * The flat config of a profile. It sets no parser and no files: the rules work with whatever parser the user has, and stay silent on what
 * is no JavaScript or TypeScript.
 */
export function configOf(profile: Profile, plugin: ESLint.Plugin, rules: readonly RuleWords[]): Linter.Config {
  const on = rules.filter((rule) => profile === 'strict' || rule.profile === 'recommended');
  return {
    name: `${NAMESPACE}/${profile}`,
    plugins: { [NAMESPACE]: plugin },
    rules: Object.fromEntries(on.map((rule) => [`${NAMESPACE}/${rule.id}`, LEVEL[rule.family]])),
    settings: { [NAMESPACE]: { profile } },
  };
}

/** ESLint has one level a rule, not one a report: state rules, of which only the certain findings are errors, warn. */
const LEVEL = { 'lock-use': 'error', state: 'warn' } as const satisfies Record<RuleWords['family'], Linter.RuleSeverity>;
