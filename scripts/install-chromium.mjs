// Puts Chromium on a CI machine for the browser tests of the HTML report: Debian's or Ubuntu's own package, when there is none yet and
// this process may install packages. It never fails: without a browser those tests are skipped and say why.
import { spawnSync } from 'node:child_process';
import { findChromium } from './find-chromium.mjs';

const MINUTES = 60_000;
const before = findChromium();
console.log(before === undefined ? install() : `Chromium is there: ${before}`);

function install() {
  if (process.getuid?.() !== 0) return 'Chromium is not installed: this is not the root user. Its tests are skipped.';
  if (spawnSync('apt-get', ['--version']).error !== undefined) return 'Chromium is not installed: there is no apt-get. Its tests are skipped.';
  const run = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 5 * MINUTES, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  const installed = run('update', '-qq') && run('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core');
  const found = findChromium();
  return installed && found !== undefined ? `Chromium is installed: ${found}` : 'Chromium could not be installed. Its tests are skipped.';
}
