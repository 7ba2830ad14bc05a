import { createPlugin } from './create-plugin.js';
import { loadJudging } from './load-judging.js';
import { ruleWords } from './rule-words.js';

/** The digest of all that judges, put in when the plugin is built; run from its sources, the plugin keeps nothing. */
declare const STEP_LOCK_BUILD: string | undefined;

/** The ESLint plugin: one ESLint rule a step-lock rule, and the flat configs `recommended` and `strict`. */
const plugin = createPlugin({ rules: ruleWords, judging: loadJudging, build: typeof STEP_LOCK_BUILD === 'string' ? STEP_LOCK_BUILD : undefined });

export default plugin;

/**
 * `require('step-lock/eslint')` yields the plugin itself. Left out of the declaration file: TypeScript before 5.6 cannot parse the form.
 * @internal
 */
export { plugin as 'module.exports' };
