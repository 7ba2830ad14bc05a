// Makes one file of the command line, and one of each part that it loads on demand: a start must not open hundreds of modules.
// Run after tsc: it replaces `dist/src/cli` by the bundle. What is imported as a library, the rest of `dist`, stays as tsc wrote it.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const CLI = join(DIST, 'src', 'cli');
const BUNDLE = join(DIST, 'src', 'cli-bundle');

await build({
  absWorkingDir: DIST, entryPoints: [join(CLI, 'bin.js')], outdir: BUNDLE, bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external',
  chunkNames: '[name]-[hash]', legalComments: 'none', logLevel: 'warning',
  // What the cache takes for the version that wrote it.
  define: { STEP_LOCK_BUILD: JSON.stringify(digest()) },
});
rmSync(CLI, { recursive: true });
renameSync(BUNDLE, CLI);

/** Of all that judges and reports. */
function digest() {
  const hash = createHash('sha256');
  for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' }).sort()) if (name.endsWith('.js')) hash.update(`${name}\0`).update(readFileSync(join(DIST, name)));
  return hash.digest('hex');
}
