// `npm test`: everything that must hold before a change lands, cheapest first. Stops at the first stage that fails and shows its output.
// The last line is `N passed, N failed`, the totals of the test runner.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MINUTES = 60_000;
const scratch = mkdtempSync(join(tmpdir(), 'step-lock-test-'));
const results = join(scratch, 'results.json');

const stages = [
  ['rules index', () => node('scripts/generate-rules-index.mjs', '--check')],
  ['HTML assets', () => bin('tsc', '-p', 'src/report/client') && node('scripts/generate-html-assets.mjs', '--check')],
  ['build', () => bin('tsc', '-p', 'tsconfig.build.json') && node('scripts/bundle-typescript.mjs') && node('scripts/bundle-octokit.mjs') && node('scripts/bundle-eslint.mjs') && node('scripts/bundle-cli.mjs')],
  ['types', () => bin('tsc', '-p', 'tsconfig.json', '--noEmit') && bin('tsc', '-p', 'test/browser')],
  ['README table', () => node('scripts/generate-readme-table.mjs', '--check')],
  ['config schema', () => node('scripts/generate-config-schema.mjs', '--check')],
  ['lint', () => bin('eslint', '.', '--max-warnings', '0')],
  ['tests', () => bin('vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`)],
  ['package', () => checkPackage()],
];

try {
  const failed = stages.find(([name, run]) => !passes(name, run));
  const { passed, broken, skipped } = totals();
  // A stage that is no test counts as one failure, so that the last line never reads well when something is wrong.
  const alsoFailed = failed !== undefined && broken === 0 ? 1 : 0;
  if (skipped > 0) console.log(`\n${skipped} skipped${findChromium() === undefined ? ': there is no Chromium for the browser tests (STEP_LOCK_CHROMIUM names one)' : ''}`);
  console.log(`${passed} passed, ${broken + alsoFailed} failed`);
  process.exitCode = failed === undefined ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function passes(name, run) {
  const began = performance.now();
  console.log(`\n== ${name}`);
  const ok = run();
  console.log(`${ok ? 'ok' : 'FAILED'}: ${name}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return ok;
}

/** The tarball as users get it: its entry points resolve, its types fit. */
function checkPackage() {
  // The build is there already; `--ignore-scripts` keeps npm from building it once more.
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], { cwd: ROOT, encoding: 'utf8' });
  if (packed.status !== 0) {
    console.error(packed.stderr);
    return false;
  }
  const tarball = join(scratch, JSON.parse(packed.stdout)[0].filename);
  return bin('publint', 'run', tarball, '--strict') && bin('attw', tarball, '--profile', 'esm-only', '--no-emoji');
}

function bin(name, ...args) {
  return run(join(ROOT, 'node_modules', '.bin', name), args);
}

function node(...args) {
  return run(process.execPath, args);
}

function run(command, args) {
  // The limit ends a hang: the engine runs in one thread, so the test runner's own timeouts cannot.
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', timeout: 10 * MINUTES });
  if (error !== undefined) console.error(String(error));
  return status === 0;
}

function totals() {
  let text;
  try {
    text = readFileSync(results, 'utf8');
  } catch {
    return { passed: 0, broken: 0, skipped: 0 };
  }
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(text);
  // A test file that cannot be loaded has no tests to fail.
  return { passed: numPassedTests, broken: numFailedTests > 0 ? numFailedTests : numFailedTestSuites, skipped: numPendingTests };
}
