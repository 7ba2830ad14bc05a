// What the caches of step-lock take for the version that wrote them.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Of all that judges and reports: the code in `dist`, as it is when this is asked, and the version. */
export function buildDigest(dist) {
  const hash = createHash('sha256').update(JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')).version);
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).sort()) if (/\.c?js$/.test(name)) hash.update(`${name}\0`).update(readFileSync(join(dist, name)));
  return hash.digest('hex');
}
