// Installs the packed package beside every supported ESLint and TypeScript and lints one file with one known fault: without types, with
// types, and as JavaScript under ESLint's own parser. Prints a table; exits 1 when a cell shows anything but that fault.
// Needs the npm registry and about five minutes. `node scripts/smoke-matrix.mjs 9.39.5 5.4.5` runs the cells that match all words.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ESLINTS = ['8.57.1', '9.39.5', '10.15.0'];
const TYPESCRIPTS = ['5.4.5', '5.9.3', '6.0.3'];
const PARSER = '8.72.0';

/** What is reported: the acquire of line 6, and nothing else. */
const EXPECTED = 'step-lock/require-ttl:6';
const TYPED_FAULT = `interface KeyValue {
  set(key: string, value: string, mode: 'NX'): Promise<'OK' | null>;
  eval(script: string, keys: number, ...args: string[]): Promise<unknown>;
}
export async function runStep(redis: KeyValue, stepId: string, owner: string, work: () => Promise<void>): Promise<boolean> {
  const acquired = await redis.set(\`lock:step:\${stepId}\`, owner, 'NX');
  if (acquired !== 'OK') return false;
  try {
    await work();
    return true;
  } finally {
    const script = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
    await redis.eval(script, 1, \`lock:step:\${stepId}\`, owner).catch(() => undefined);
  }
}
`;
const PLAIN_FAULT = `import { Redis } from 'ioredis';

const redis = new Redis();
const COMPARE_AND_DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
export async function runStep(stepId, owner, work) {
  const acquired = await redis.set(\`lock:step:\${stepId}\`, owner, 'NX');
  if (acquired !== 'OK') return false;
  try {
    await work();
    return true;
  } finally {
    await redis.eval(COMPARE_AND_DELETE, 1, \`lock:step:\${stepId}\`, owner).catch(() => undefined);
  }
}
`;
const FILES = {
  'untyped/fault.ts': TYPED_FAULT,
  'typed/fault.ts': TYPED_FAULT,
  'plain/fault.js': PLAIN_FAULT,
  'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: true, noEmit: true, types: [] }, include: ['typed', 'entries.ts'] }),
  'entries.ts': `import type { Linter } from 'eslint';
import type { Review } from 'step-lock';
import stepLock from 'step-lock/eslint';
export const config: Linter.Config[] = [...stepLock.configs.recommended, ...stepLock.configs.strict];
export type Verdict = Review['verdict'];
`,
  'eslint.config.js': `import * as parser from '@typescript-eslint/parser';
import stepLock from 'step-lock/eslint';
export default [
  { files: ['**/*.ts'], languageOptions: { parser } },
  { files: ['typed/**/*.ts'], languageOptions: { parserOptions: { project: true, tsconfigRootDir: import.meta.dirname } } },
  ...stepLock.configs.recommended,
];
`,
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'step-lock-matrix-'));
const words = process.argv.slice(2);
const cells = ESLINTS.flatMap((eslint) => TYPESCRIPTS.map((typescript) => ({ eslint, typescript })))
  .filter(({ eslint, typescript }) => words.every((word) => word === eslint || word === typescript));

try {
  const tarball = pack();
  const rows = cells.map((cell) => ({ ...cell, ...runCell(cell, tarball) }));
  console.table(rows.map(({ eslint, typescript, untyped, typed, plain, types }) => ({ ESLint: eslint, TypeScript: typescript, untyped, typed, JavaScript: plain, declarations: types })));
  const bad = rows.filter((row) => ['untyped', 'typed', 'plain', 'types'].some((key) => row[key] !== 'ok' && row[key] !== '-'));
  console.log(`${rows.length - bad.length} of ${rows.length} cells as expected`);
  process.exitCode = bad.length === 0 && rows.length > 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function pack() {
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], { cwd: ROOT, encoding: 'utf8' });
  return join(scratch, JSON.parse(output)[0].filename);
}

function runCell({ eslint, typescript }, tarball) {
  const folder = join(scratch, `${eslint}-${typescript}`);
  write(folder, 'package.json', JSON.stringify({
    type: 'module',
    private: true,
    devDependencies: { eslint, typescript, '@typescript-eslint/parser': PARSER, 'step-lock': `file:${tarball}` },
  }));
  for (const [path, text] of Object.entries(FILES)) write(folder, path, text);
  const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder, encoding: 'utf8' });
  if (installed.status !== 0) {
    console.error(installed.stderr);
    return { untyped: 'no install', typed: 'no install', plain: 'no install', types: 'no install' };
  }
  const found = lint(folder);
  const types = declarations(folder, eslint);
  rmSync(folder, { recursive: true });
  return { ...found, types };
}

function lint(folder) {
  const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/eslint/bin/eslint.js', '--format', 'json', 'untyped', 'typed', 'plain'], {
    cwd: folder, encoding: 'utf8', env: { ...process.env, ESLINT_USE_FLAT_CONFIG: 'true' },
  });
  let results;
  try {
    results = JSON.parse(stdout);
  } catch {
    console.error(stdout, stderr);
    return { untyped: 'crash', typed: 'crash', plain: 'crash' };
  }
  const verdict = (name) => {
    const messages = results.find(({ filePath }) => filePath.includes(`${folder}/${name}/`))?.messages ?? [];
    const told = messages.map(({ ruleId, line, message }) => (ruleId === null ? message : `${ruleId}:${line}`)).join(' ');
    return told === EXPECTED ? 'ok' : told === '' ? 'nothing' : told;
  };
  return { untyped: verdict('untyped'), typed: verdict('typed'), plain: verdict('plain') };
}

/** Whether the package's declarations fit. ESLint 8 has none of its own to fit. */
function declarations(folder, eslint) {
  if (eslint.startsWith('8.')) return '-';
  const { status, stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) console.error(stdout);
  return status === 0 ? 'ok' : 'errors';
}

function write(folder, path, text) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
