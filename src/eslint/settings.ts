import type { Config } from '../config/config.js';
import { ConfigMistake } from '../config/config-mistake.js';
import { validateConfig } from '../config/validate.js';
import type { Certainty } from '../engine/judge/outcome.js';
import type { Profile } from '../engine/judge/reported.js';
import { isDate } from '../exceptions/dates.js';
import { NAMESPACE } from './package-meta.js';

/** `settings['step-lock']` with its defaults filled in. */
export interface Settings {
  /** Which violated outcomes become reports; default `recommended`. */
  readonly profile: Profile;
  /** The least certainty reported. It narrows the profile and never widens it; default `possible`, so the profile decides. */
  readonly certainty: Certainty;
  /** Models, targets and policy, as in `step-lock.config.*`. */
  readonly config: Config;
  /** The day exceptions are judged at, `YYYY-MM-DD`; undefined: today. For tests, and for runs that must not change by themselves. */
  readonly asOf?: string;
}

/** Reads and checks the shared settings. A wrong value throws: silence would look like a clean file. */
export function readSettings(shared: unknown): Settings {
  const own = ownSettings(shared);
  if (typeof own !== 'object' || own === null) return read(own);
  const held = known.get(own);
  if (held !== undefined) return held;
  const settings = read(own);
  known.set(own, settings);
  return settings;
}

/** A mistake in the user's `settings['step-lock']`, or in a tag of the file being linted. */
export class SettingsError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'SettingsError';
  }
}

/** ESLint hands the same object to all rules and files of one configuration. */
const known = new WeakMap<object, Settings>();

function ownSettings(shared: unknown): unknown {
  const own: unknown = typeof shared === 'object' && shared !== null ? Reflect.get(shared, NAMESPACE) : undefined;
  return own ?? NO_SETTINGS;
}

const NO_SETTINGS: Config = {};

function read(own: unknown): Settings {
  try {
    const { asOf, rest } = apart(own);
    const config = validateConfig(rest, `ESLint settings['${NAMESPACE}']`);
    return { profile: config.profile ?? 'recommended', certainty: config.certainty ?? 'possible', config, ...(asOf === undefined ? {} : { asOf }) };
  } catch (error) {
    throw error instanceof ConfigMistake ? new SettingsError(`${error.message} ${error.nextStep}`) : error;
  }
}

/** The day and the cache are ESLint's own settings: on the command line they are flags, and they have no place in a configuration that lives for years. */
function apart(own: unknown): { readonly rest: unknown; readonly asOf?: string } {
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return { rest: own };
  const asOf: unknown = Reflect.get(own, 'asOf');
  const cache: unknown = Reflect.get(own, 'cache');
  const rest = Object.fromEntries(Object.entries(own).filter(([name]) => name !== 'asOf' && name !== 'cache'));
  if (!['undefined', 'boolean', 'string'].includes(typeof cache) || cache === '') {
    throw new SettingsError(`\`cache\` in ESLint settings['${NAMESPACE}'] must be \`true\`, \`false\` or a folder, not \`${said(cache)}\`. With \`false\`, no findings are kept for the next run.`);
  }
  if (asOf === undefined) return { rest };
  if (typeof asOf === 'string' && isDate(asOf)) return { rest, asOf };
  throw new SettingsError(`\`asOf\` in ESLint settings['${NAMESPACE}'] must be a day of the calendar like \`2027-03-01\`, not \`${said(asOf)}\`.`);
}

function said(value: unknown): string {
  return String(value);
}
