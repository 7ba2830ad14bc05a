import { analyse } from '../engine/engine.js';
import { builtInModels } from '../models/index.js';
import { rules } from '../../rules/index.js';
import { createPlugin } from './create-plugin.js';

/** The ESLint plugin: one ESLint rule a step-lock rule, and the flat configs `recommended` and `strict`. */
const plugin = createPlugin({ analyse, models: builtInModels, rules });

export default plugin;

/**
 * `require('step-lock/eslint')` yields the plugin itself. Left out of the declaration file: TypeScript before 5.6 cannot parse the form.
 * @internal
 */
export { plugin as 'module.exports' };
