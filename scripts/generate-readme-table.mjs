// Writes the table of rules in README.md, between its markers, from the built rules. With --check: exits 1 on a difference.
import { existsSync, readFileSync } from 'node:fs';
import { writeOrCheck } from './write-or-check.mjs';

const README = 'README.md';
const MARKED = /(<!-- rules -->\n)[\s\S]*?(<!-- \/rules -->)/;

if (!existsSync(new URL(`../${README}`, import.meta.url))) {
  console.error('README.md is not there; no table of rules was written.');
} else {
  const text = readFileSync(new URL(`../${README}`, import.meta.url), 'utf8');
  if (!MARKED.test(text)) {
    console.error('README.md has no `<!-- rules -->` and `<!-- /rules -->` to put the table of rules between.');
    process.exitCode = 1;
  } else {
    const { rules } = await import('../dist/rules/index.js');
    writeOrCheck(README, text.replace(MARKED, (_, open, close) => open + table(rules) + close));
  }
}

function table(rules) {
  const rows = rules.map(({ id, summary, skill, profile }) => `| [${id}](docs/rules/${id}.md) | ${summary} | ${skill} | ${profile} |\n`);
  return `| rule | finds | skill | profile |\n|---|---|---|---|\n${rows.join('')}`;
}
