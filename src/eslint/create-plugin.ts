import type { ESLint, Linter, Rule } from 'eslint';
import type { RuleDefinition } from '../engine/judge/rule.js';
import { configOf } from './configs.js';
import { createFileAnalysis, type Engine } from './file-analysis.js';
import { createLintRule } from './lint-rule.js';
import { NAMESPACE, PACKAGE } from './package-meta.js';

/** The plugin's shape: what ESLint's `defineConfig` and `tseslint.config` accept, with the two configs spelled out. */
export interface StepLockPlugin extends ESLint.Plugin {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly rules: Record<string, Rule.RuleModule>;
  readonly configs: { readonly recommended: Linter.Config[]; readonly strict: Linter.Config[] };
}

/** Builds the plugin from the engine it is given: the real one, or a test's own. */
export function createPlugin(engine: Engine): StepLockPlugin {
  const fileAnalysis = createFileAnalysis(engine);
  const configs: StepLockPlugin['configs'] = { recommended: [], strict: [] };
  const plugin: StepLockPlugin = {
    meta: { name: PACKAGE.name, version: PACKAGE.version, namespace: NAMESPACE },
    rules: Object.fromEntries(engine.rules.map((definition: RuleDefinition) => [definition.id, createLintRule(definition, fileAnalysis, engine.rules)])),
    configs,
  };
  // A flat config holds its plugin and the plugin holds its configs, so one of them is filled after the other is made.
  configs.recommended.push(configOf('recommended', plugin, engine.rules));
  configs.strict.push(configOf('strict', plugin, engine.rules));
  return plugin;
}
