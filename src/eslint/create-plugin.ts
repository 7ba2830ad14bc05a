import type { ESLint, Linter, Rule } from 'eslint';
import { configOf } from './configs.js';
import { createFileFindings } from './file-findings.js';
import type { Judging } from './judging.js';
import { createLintRule } from './lint-rule.js';
import type { Keeping } from './kept-findings.js';
import { NAMESPACE, PACKAGE } from './package-meta.js';
import type { RuleWords } from './rule-words.js';

/** The plugin's shape: what ESLint's `defineConfig` and `tseslint.config` accept, with the two configs spelled out. */
export interface StepLockPlugin extends ESLint.Plugin {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly rules: Record<string, Rule.RuleModule>;
  readonly configs: { readonly recommended: Linter.Config[]; readonly strict: Linter.Config[] };
}

export interface PluginParts {
  readonly rules: readonly RuleWords[];
  /** What judges with these rules; asked for when there is a file to judge. */
  readonly judging: () => Judging;
  /** Undefined: nothing is kept for the next run. */
  readonly keeping?: Keeping | undefined;
}

/** Builds the plugin from its parts: the real ones, or a test's own. */
export function createPlugin({ rules, judging, keeping }: PluginParts): StepLockPlugin {
  const findingsOf = createFileFindings(judging, keeping);
  const configs: StepLockPlugin['configs'] = { recommended: [], strict: [] };
  const plugin: StepLockPlugin = {
    meta: { name: PACKAGE.name, version: PACKAGE.version, namespace: NAMESPACE },
    rules: Object.fromEntries(rules.map((words) => [words.id, createLintRule(words, findingsOf)])),
    configs,
  };
  // A flat config holds its plugin and the plugin holds its configs, so one of them is filled after the other is made.
  configs.recommended.push(configOf('recommended', plugin, rules));
  configs.strict.push(configOf('strict', plugin, rules));
  return plugin;
}
