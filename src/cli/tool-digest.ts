import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { configDigest } from '../review/config-digest.js';
import { packageVersion } from './version.js';

/** What judges: the version, and the code itself. Whoever works on step-lock changes the one without the other. */
export function toolDigest(): string {
  const code: string[] = [packageVersion()];
  for (const folder of ['../../rules', '../engine', '../models', '../audit']) {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (/(?<!\.d)\.[jt]s$/.test(name)) code.push(name, readFileSync(join(path, name), 'utf8'));
    }
  }
  return configDigest({ code });
}
