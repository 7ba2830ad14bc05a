import process from 'node:process';
import { createPlugin } from './create-plugin.js';
import { loadJudging } from './load-judging.js';
import { ruleWords } from './rule-words.js';

/** The digest of all that judges, put in when the plugin is built; run from its sources, the plugin keeps nothing. */
declare const STEP_LOCK_BUILD: string | undefined;

const keeping = typeof STEP_LOCK_BUILD === 'string' ? { build: STEP_LOCK_BUILD, atEnd: (write: () => void): void => { process.once('exit', write); } } : undefined;

/** The ESLint plugin: one ESLint rule a step-lock rule, and the flat configs `recommended` and `strict`. */
const plugin = createPlugin({ rules: ruleWords, judging: loadJudging, keeping });

export default plugin;

/**
 * `require('step-lock/eslint')` yields the plugin itself. Left out of the declaration file: TypeScript before 5.6 cannot parse the form.
 * @internal
 */
export { plugin as 'module.exports' };
