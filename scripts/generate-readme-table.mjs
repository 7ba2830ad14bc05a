// Writes what README.md shows of the tool itself, between its markers, from the build: the table of rules, and a part of the audit of the
// sample. With --check: exits 1 on a difference.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeOrCheck } from './write-or-check.mjs';

const README = 'README.md';
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The first command of the README. */
const SAMPLE = ['dist/src/cli/bin.js', 'audit', 'fixtures/projects/agent-runtime', '--fail-on', 'never'];
/** The rule whose finding is shown. */
const SHOWN = 'require-atomic-release';

if (!existsSync(new URL(`../${README}`, import.meta.url))) {
  console.error('README.md is not there; nothing was written.');
} else {
  const { rules } = await import('../dist/rules/index.js');
  const text = readFileSync(new URL(`../${README}`, import.meta.url), 'utf8');
  const parts = { rules: table(rules), sample: `\`\`\`text\n${sample()}\`\`\`\n` };
  const missing = Object.keys(parts).filter((name) => !marked(name).test(text));
  if (missing.length > 0) {
    console.error(`README.md lacks the markers ${missing.map((name) => `\`<!-- ${name} -->\` and \`<!-- /${name} -->\``).join(', ')}.`);
    process.exitCode = 1;
  } else {
    writeOrCheck(README, Object.entries(parts).reduce((written, [name, part]) => written.replace(marked(name), (_, open, close) => open + part + close), text));
  }
}

function marked(name) {
  return new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
}

function table(rules) {
  const rows = rules.map(({ id, summary, skill, profile }) => `| [${id}](docs/rules/${id}.md) | ${summary} | ${skill} | ${profile} |\n`);
  return `| rule | finds | skill | profile |\n|---|---|---|---|\n${rows.join('')}`;
}

/** The finding of one rule, and the summary. */
function sample() {
  const report = execFileSync(process.execPath, SAMPLE, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'ignore'] });
  const blocks = report.split(/\n\n(?=(?:error|warning) |verdict )/);
  const finding = blocks.find((block) => block.split('\n')[0].includes(` ${SHOWN} `));
  if (finding === undefined) throw new Error(`the sample has no finding of ${SHOWN}`);
  return `${finding}\n\n${blocks.at(-1)}`;
}
