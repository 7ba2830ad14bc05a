// Puts the ESLint plugin into one file of `dist`: read as hundreds of modules it takes longer to load than to judge a file, and an editor loads it at each start.
// Run after tsc: it replaces `dist/src/eslint/index.js` and writes the licences of what it took in beside it.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licenceTexts } from './licence-texts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'dist', 'src', 'eslint');
const BUNDLE = join(FOLDER, 'index.bundle');

const { metafile } = await build({
  absWorkingDir: ROOT, entryPoints: [join(FOLDER, 'index.js')], outfile: BUNDLE, bundle: true, platform: 'node', format: 'esm', target: 'node20', metafile: true, legalComments: 'none', logLevel: 'warning',
  // Names stay, so that a stack trace can be read.
  minifyWhitespace: true, minifySyntax: true,
  // Those whose parser is typescript-eslint's have these loaded already.
  external: ['@typescript-eslint/utils', 'typescript'],
});
// The modules of the folder are in the bundle now, and nothing else leads to them.
for (const file of readdirSync(FOLDER)) if (file.endsWith('.js')) rmSync(join(FOLDER, file));
renameSync(BUNDLE, join(FOLDER, 'index.js'));
writeFileSync(join(FOLDER, 'licences.txt'), licenceTexts(metafile, ROOT));
