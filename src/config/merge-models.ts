import type { LockModel, Models } from '../engine/models.js';
import type { Config } from './config.js';

/** The models with those of a configuration beside them, and the words without which a file may now hold something to judge. */
export function mergeModels(models: Models, config: Config): Models {
  const { locks = [], transitions = [], targets = [], ignoreTargets = [], policy } = config;
  return {
    ...models,
    words: [...new Set([...models.words, ...locks.flatMap(lockWords), ...transitions.map(({ call }) => word(call)), ...targets.flatMap(({ column }) => (column === undefined ? [] : [columnWord(column)]))])],
    locks: [...(models.locks ?? []), ...locks],
    writes: [...(models.writes ?? []), ...transitions],
    targets: [...(models.targets ?? []), ...targets],
    ignoredTargets: [...(models.ignoredTargets ?? []), ...ignoreTargets],
    policy: { ...models.policy, ...policy },
  };
}

/** What is given back by calling it has no name of its own. */
function lockWords({ operations }: LockModel): string[] {
  return operations.filter(({ call }) => !call.endsWith('()')).map(({ call }) => word(call));
}

/** The name of the function or method, as a whole word. `$` is no word character of a regular expression. */
function word(call: string): string {
  const name = call.slice(call.indexOf('#') + 1);
  return `(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`;
}

/** `runStage` is spelled `run_stage` in SQL. */
function columnWord(column: string): string {
  return column.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^A-Za-z0-9]+/).filter((part) => part !== '').join('_?');
}
