import type { LockModel, Policy, StateTargetModel, StateWriteModel } from '../engine/models.js';

/** What a user tells step-lock of a code base: `step-lock.config.*`, or `settings['step-lock']` of ESLint. */
export interface Config {
  readonly $schema?: string;
  /** Which violations become findings; default `recommended`. */
  readonly profile?: 'recommended' | 'strict';
  /** The least certainty that is reported. It narrows the profile and never widens it; default `possible`. */
  readonly certainty?: 'certain' | 'likely' | 'possible';
  /** Files and folders that the audit leaves out, spelled as in `.gitignore`, seen from the folder of the configuration. */
  readonly ignore?: readonly string[];
  readonly policy?: Policy;
  readonly locks?: readonly LockModel[];
  readonly transitions?: readonly StateWriteModel[];
  readonly targets?: readonly StateTargetModel[];
  /** Tables, models or documents that hold no step state: names, or `/patterns/`. */
  readonly ignoreTargets?: readonly string[];
}

/** Types a configuration; at run time it is what it is given. */
export function defineConfig(config: Config): Config {
  return config;
}
