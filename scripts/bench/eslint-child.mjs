// One ESLint run in a process of its own: one trivial rule, with or without types, with or without the recommended rules of step-lock.
// The request is a JSON file; what came of it is one line of JSON on stdout.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const { cwd, files, typed, ours, tsconfig, cache, timed } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
// ESLint times rules by this clock. On a machine that others use, waiting would count as work: CPU time takes its place. To look at the clock costs as much as a rule that
// has nothing to do: only a run that is asked for the part of our rules does it.
if (timed) process.hrtime = Object.assign((since = [0, 0]) => {
  const micros = cpuMicros() - since[0] * 1e6 - since[1] / 1e3;
  return [Math.floor(micros / 1e6), (micros % 1e6) * 1e3];
}, { bigint: process.hrtime.bigint });

const PATTERNS = ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}'];

const program = tsconfig === 'tsconfig.json' ? { projectService: true } : { project: tsconfig };
const config = [
  {
    files: PATTERNS,
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parser: tseslint.parser, parserOptions: typed ? { ...program, tsconfigRootDir: cwd } : {} },
    // Directives of the checkout name rules that are not here.
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
    rules: typed ? { '@typescript-eslint/await-thenable': 'error' } : { 'no-debugger': 'error' },
  },
  // Loaded only where it is measured: what loading costs is part of it.
  ...(ours ? [...(await import('step-lock/eslint')).default.configs.recommended, { settings: { 'step-lock': { cache } } }] : []),
];

const eslint = new ESLint({ cwd, overrideConfigFile: true, overrideConfig: config, stats: timed, errorOnUnmatchedPattern: false });
const results = await eslint.lintFiles(files);
const fatal = results.flatMap(({ messages }) => messages.filter((message) => message.fatal));
const told = {
  files: results.length,
  unparsed: results.filter(({ messages }) => messages.some((message) => message.fatal)).length,
  ...(fatal.length > 0 ? { firstFatal: fatal[0].message } : {}),
  ...(ours ? { ours: { ...(timed ? { share: ourTime() * 1000 / cpuMicros() } : {}), findings: results.flatMap(({ messages }) => messages.filter(({ ruleId }) => isOurs(ruleId))).length } } : {}),
};
console.log(JSON.stringify(told));

/** Of all threads of the process. */
function cpuMicros() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Milliseconds of CPU spent in our rules, as ESLint's statistics tell. */
function ourTime() {
  return results
    .flatMap(({ stats }) => stats?.times.passes ?? [])
    .flatMap(({ rules }) => Object.entries(rules ?? {}))
    .filter(([id]) => isOurs(id))
    .reduce((sum, [, { total }]) => sum + total, 0);
}

function isOurs(id) {
  return id?.startsWith('step-lock/') ?? false;
}
