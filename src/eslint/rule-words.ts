import type { RuleDefinition } from '../engine/judge/rule.js';
import { rules } from '../../rules/index.js';

/** What ESLint has to know of a rule before there is a file to judge. */
export type RuleWords = Pick<RuleDefinition, 'id' | 'skill' | 'dimension' | 'family' | 'profile' | 'summary' | 'messages'>;

/** The words of all rules. Where the plugin is one file, `scripts/bundle-eslint.mjs` puts them there as data, so that no rule is loaded for them. */
export const ruleWords: readonly RuleWords[] = rules;
