// Shows that an audit and typed ESLint find the same: `node scripts/compare-front-ends.mjs <folder>...` on code bases with a tsconfig.
// Works on the build. Files that no tsconfig of the folder holds cannot be linted with types and are left out; their number is told.
// Exits 1 on a difference, and when nothing was compared.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import { globSync } from 'tinyglobby';
import { candidateTest } from '../dist/src/engine/candidate.js';
import plugin from '../dist/src/eslint/index.js';
import { builtInModels } from '../dist/src/models/index.js';

const CLI = fileURLToPath(new URL('../dist/src/cli/bin.js', import.meta.url));
const folders = process.argv.slice(2).map((folder) => resolve(folder));
if (folders.length === 0) {
  console.error('Give one folder or more: node scripts/compare-front-ends.mjs ../some-repository');
  process.exit(2);
}

if (folders.length > 1) {
  // The first options of the parser's project service win for a whole process, so each folder gets its own.
  const codes = folders.map((folder) => spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder], { stdio: 'inherit' }).status);
  process.exit(codes.every((code) => code === 0) ? 0 : 1);
}

const [root] = folders;
const linted = await lint(root, candidates(root));
const audited = audit(root).filter(({ file }) => linted.files.has(file));
const left = new Set(linted.findings.map(line));
const right = new Set(audited.map(line));
const onlyEslint = [...left].filter((one) => !right.has(one)).sort();
const onlyAudit = [...right].filter((one) => !left.has(one)).sort();

console.log(`${root}: ${linted.files.size} files linted with types, ${linted.leftOut} in no tsconfig; ${left.size} findings in ESLint, ${right.size} in the audit`);
for (const one of onlyEslint) console.log(`  only ESLint: ${one}`);
for (const one of onlyAudit) console.log(`  only audit:  ${one}`);
process.exitCode = onlyEslint.length + onlyAudit.length > 0 || linted.files.size === 0 ? 1 : 0;

function line({ file, line: at, column, rule, message }) {
  return `${file}:${at}:${column} ${rule} ${message}`;
}

function audit(folder) {
  const flags = ['--format', 'json', '--include-tests', '--include-generated', '--fail-on', 'never', '--quiet'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'audit', '.', ...flags], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`the audit of ${folder} failed: ${stderr}`);
  return JSON.parse(stdout).findings;
}

/** TypeScript files whose text may hold something to judge. */
function candidates(folder) {
  const isCandidate = candidateTest(builtInModels);
  // The index of git may name files that are deleted in the work tree.
  return sources(folder).filter((file) => /(?<!\.d)\.[cm]?tsx?$/.test(file) && existsSync(join(folder, file)) && isCandidate(readFileSync(join(folder, file), 'utf8')));
}

/** What git knows or would add, since the audit leaves ignored files out; in an unpacked archive every file. */
function sources(folder) {
  const { stdout, status } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', '.'], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30 });
  return status === 0 ? stdout.split('\0') : globSync(['**/*.{ts,tsx,mts,cts}'], { cwd: folder, dot: true, ignore: ['**/node_modules/**'], expandDirectories: false });
}

async function lint(folder, files) {
  const eslint = new ESLint({
    cwd: folder,
    ignore: false,
    overrideConfigFile: true,
    overrideConfig: [
      { linterOptions: { reportUnusedDisableDirectives: 'off' } },
      { files: ['**/*.{ts,tsx,mts,cts}'], languageOptions: { parser, parserOptions: { projectService: true, tsconfigRootDir: folder } } },
      ...plugin.configs.recommended,
    ],
    allowInlineConfig: false,
  });
  const results = files.length === 0 ? [] : await eslint.lintFiles(files);
  const named = results.map((result) => ({ ...result, file: relative(folder, result.filePath).replaceAll('\\', '/') }));
  const whole = named.filter(({ fatalErrorCount }) => fatalErrorCount === 0);
  return {
    files: new Set(whole.map(({ file }) => file)),
    leftOut: named.length - whole.length,
    findings: whole.flatMap(({ file, messages }) => messages.map((found) => ({ ...found, file, rule: found.ruleId?.replace('step-lock/', '') }))),
  };
}
