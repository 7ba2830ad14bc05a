// Puts the code that talks to GitHub into one file of `dist`, so that users install none of its packages (20 of them, most of it types).
// Run after tsc: it replaces `dist/src/post/octokit.js` and writes the licences of what it took in beside it.
import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licenceTexts } from './licence-texts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = join(ROOT, 'dist', 'src', 'post', 'octokit.js');
const BUNDLE = `${FILE}.bundle`;

const { metafile } = await build({
  absWorkingDir: ROOT, entryPoints: [FILE], outfile: BUNDLE, bundle: true, platform: 'node', format: 'esm', target: 'node20', metafile: true, legalComments: 'none', logLevel: 'warning',
  // Our own files stay modules of their own: an error class must be the same one everywhere.
  external: ['./github-api.js', './github-host.js'],
});
renameSync(BUNDLE, FILE);
writeFileSync(join(dirname(FILE), 'octokit-licences.txt'), licenceTexts(metafile, ROOT));
