// Puts the ESLint plugin into two files of `dist`: what ESLint loads at each start, an editor among others, and what judges, which is loaded for the first file whose
// findings are not kept. Read as hundreds of modules it takes longer to load than to judge a file. Run after tsc: it replaces the files of `dist/src/eslint` and writes the
// licences of what it took in beside them.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildDigest } from './build-digest.mjs';
import { licenceTexts } from './licence-texts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'dist', 'src', 'eslint');
const BUNDLE = join(ROOT, 'dist', 'src', 'eslint-bundle');
/** What of a rule is no code: all of it but the judgement. */
const { rules } = await import(pathToFileURL(join(ROOT, 'dist', 'rules', 'index.js')).href);
const WORDS = rules.map(({ id, skill, dimension, family, profile, summary, messages }) => ({ id, skill, dimension, family, profile, summary, messages }));

/** ESLint asks rules for their findings at once: what judges is loaded at once too, hence by `require`. */
const INSTEAD = {
  'load-judging.js': `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nexport const loadJudging = () => require('./judging.cjs').judging;`,
  'rule-words.js': `export const ruleWords = ${JSON.stringify(WORDS)};`,
};
const instead = {
  name: 'instead',
  setup: ({ onLoad }) => onLoad({ filter: /[\\/]eslint[\\/](?:load-judging|rule-words)\.js$/ }, ({ path }) => ({ contents: INSTEAD[path.split(/[\\/]/).at(-1)], loader: 'js' })),
};

const shared = {
  absWorkingDir: ROOT, bundle: true, platform: 'node', target: 'node20', metafile: true, legalComments: 'none', logLevel: 'warning',
  // Names stay, so that a stack trace can be read.
  minifyWhitespace: true, minifySyntax: true,
  // Those whose parser is typescript-eslint's have these loaded already.
  external: ['@typescript-eslint/utils', 'typescript'],
};
const plugin = await build({
  ...shared, entryPoints: [join(FOLDER, 'index.js')], outfile: join(BUNDLE, 'index.js'), format: 'esm', plugins: [instead],
  // What kept findings take for the version that found them.
  define: { STEP_LOCK_BUILD: JSON.stringify(buildDigest(join(ROOT, 'dist'))) },
});
const judging = await build({
  ...shared, entryPoints: [join(FOLDER, 'own-judging.js')], outfile: join(BUNDLE, 'judging.cjs'), format: 'cjs',
  define: { 'import.meta.url': 'importMetaUrl' }, banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
});
// The modules of the folder are in the bundles now, and nothing else leads to them.
for (const file of readdirSync(FOLDER)) if (file.endsWith('.js')) rmSync(join(FOLDER, file));
for (const file of ['index.js', 'judging.cjs']) renameSync(join(BUNDLE, file), join(FOLDER, file));
rmSync(BUNDLE, { recursive: true });
writeFileSync(join(FOLDER, 'licences.txt'), licenceTexts({ inputs: { ...plugin.metafile.inputs, ...judging.metafile.inputs } }, ROOT));
