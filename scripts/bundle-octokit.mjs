// Puts the code that talks to GitHub into one file of `dist`, so that users install none of its packages (20 of them, most of it types).
// Run after tsc: it replaces `dist/src/post/octokit.js` and writes the licences of what it took in beside it.
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = join(ROOT, 'dist', 'src', 'post', 'octokit.js');
const BUNDLE = `${FILE}.bundle`;

const { metafile } = await build({
  absWorkingDir: ROOT, entryPoints: [FILE], outfile: BUNDLE, bundle: true, platform: 'node', format: 'esm', target: 'node20', metafile: true, legalComments: 'none', logLevel: 'warning',
  // Our own files stay modules of their own: an error class must be the same one everywhere.
  external: ['./github-api.js', './github-host.js'],
});
const packages = [...new Set(Object.keys(metafile.inputs).flatMap((input) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[0] ?? []))].sort();
renameSync(BUNDLE, FILE);
writeFileSync(join(dirname(FILE), 'octokit-licences.txt'), packages.map(licence).join('\n'));

function licence(folder) {
  const path = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined || !existsSync(join(path, file))) throw new Error(`${name} carries no licence text`);
  return `${name} ${version}, ${license}\n\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
}
