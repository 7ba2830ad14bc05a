// Makes one file of the command line, and one of each part that it loads on demand: a start must not open hundreds of modules.
// Run after tsc: it replaces `dist/src/cli` by the bundle. What is imported as a library, the rest of `dist`, stays as tsc wrote it.
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildDigest } from './build-digest.mjs';

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const CLI = join(DIST, 'src', 'cli');
const BUNDLE = join(DIST, 'src', 'cli-bundle');

const shared = {
  absWorkingDir: DIST, outdir: BUNDLE, bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external', legalComments: 'none', logLevel: 'warning',
  // Names stay, so that a stack trace can be read.
  minifyWhitespace: true, minifySyntax: true,
  // What the cache takes for the version that wrote it.
  define: { STEP_LOCK_BUILD: JSON.stringify(buildDigest(DIST)) },
};
// The way to a report that is at hand is one file: the parts it shares with the rest would each be a file to open.
await build({ ...shared, entryPoints: [join(CLI, 'bin.js')], external: ['./command-line.js'] });
await build({ ...shared, entryPoints: [join(CLI, 'command-line.js')], splitting: true, chunkNames: '[name]-[hash]' });
rmSync(CLI, { recursive: true });
renameSync(BUNDLE, CLI);
