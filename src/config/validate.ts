import type { Config } from './config.js';
import { ConfigMistake } from './config-mistake.js';
import { schemaMistake } from './schema-mistake.js';
import { configSchema } from './schema.js';

/**
 * Checks what a file or ESLint's settings hold.
 * @param from What it is called in a sentence: `step-lock.config.json`, `settings['step-lock']`.
 * @throws {ConfigMistake} with the first mistake, its place and its mend.
 */
export function validateConfig(value: unknown, from: string): Config {
  const read = configSchema.safeParse(value);
  if (read.success) return read.data;
  throw new ConfigMistake(schemaMistake(read.error.issues, { value, from, schema: configSchema }), 'docs/configuration.md shows what can be said.');
}
