import type { Certainty } from '../engine/judge/outcome.js';
import type { Profile } from '../engine/judge/reported.js';
import { NAMESPACE } from './package-meta.js';

/** `settings['step-lock']` with its defaults filled in. */
export interface Settings {
  /** Which violated outcomes become reports; default `recommended`. */
  readonly profile: Profile;
  /** The least certainty reported. It narrows the profile and never widens it; default `possible`, so the profile decides. */
  readonly certainty: Certainty;
}

/** Reads and checks the shared settings. A wrong value throws: silence would look like a clean file. */
export function readSettings(shared: unknown): Settings {
  const own = property(shared, NAMESPACE) ?? {};
  if (typeof own !== 'object') throw new SettingsError(`must be an object like { profile: 'strict' }`);
  const unknownKey = Object.keys(own).find((key) => !KEYS.includes(key));
  if (unknownKey !== undefined) throw new SettingsError(`has no key \`${unknownKey}\`; it knows ${KEYS.join(', ')}`);
  return {
    profile: choice(own, 'profile', PROFILES) ?? 'recommended',
    certainty: choice(own, 'certainty', CERTAINTIES) ?? 'possible',
  };
}

/** A mistake in the user's `settings['step-lock']`. */
export class SettingsError extends Error {
  constructor(detail: string) {
    super(`ESLint settings['${NAMESPACE}'] ${detail}.`);
    this.name = 'SettingsError';
  }
}

const KEYS: readonly string[] = ['profile', 'certainty'];
const PROFILES = ['recommended', 'strict'] as const satisfies readonly Profile[];
const CERTAINTIES = ['certain', 'likely', 'possible'] as const satisfies readonly Certainty[];

function choice<T extends string>(own: object, key: string, allowed: readonly T[]): T | undefined {
  const value = property(own, key);
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new SettingsError(`\`${key}\` must be one of ${allowed.join(', ')}`);
  return found;
}

function property(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined;
}
