import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import process from 'node:process';
import { configDigest } from '../review/config-digest.js';

/** The digest of the code, put in when the command line is bundled; not there in one that is run from its sources. */
declare const STEP_LOCK_BUILD: string | undefined;

let known: string | undefined;

/** What judges and reports: the version, the code itself (whoever works on step-lock changes the one without the other), and Node, whose messages reports quote. */
export function toolDigest(): string {
  known ??= `${typeof STEP_LOCK_BUILD === 'string' ? STEP_LOCK_BUILD : sourceDigest()} ${process.version}`;
  return known;
}

function sourceDigest(): string {
  const code = [readFileSync(new URL('../../package.json', import.meta.url), 'utf8')];
  for (const folder of ['../../rules', '..']) {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (/(?<!\.d)\.[jt]s$/.test(name)) code.push(name, readFileSync(join(path, name), 'utf8'));
    }
  }
  return configDigest({ code });
}
