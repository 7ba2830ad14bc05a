// The programs that stand beside step-lock, with their versions. Those that the project does not use itself are installed on demand, under
// node_modules/.cache, and stay there for the next run.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HOME = join(ROOT, 'node_modules/.cache/step-lock-bench');
const ON_DEMAND = { typescript7: 'npm:typescript@7.0.2', oxlint: '1.94.0' };

const require = createRequire(import.meta.url);

/** A package that the project itself depends on, or the project's own: its folder, version and manifest. */
export function ownPackage(name) {
  const file = require.resolve(`${name}/package.json`);
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  return { folder: dirname(file), version: manifest.version, manifest };
}

/**
 * A peer that is installed on demand: its folder and version.
 * @throws {Error} with npm's words when it cannot be installed.
 */
export function installedPeer(name) {
  const folder = join(HOME, 'node_modules', name);
  if (!isInstalled(folder, name)) install();
  return { folder, version: versionIn(folder) };
}

function isInstalled(folder, name) {
  return existsSync(join(folder, 'package.json')) && versionIn(folder) === ON_DEMAND[name].split('@').at(-1);
}

function install() {
  mkdirSync(HOME, { recursive: true });
  writeFileSync(join(HOME, 'package.json'), JSON.stringify({ private: true, dependencies: ON_DEMAND }, null, 2));
  try {
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: HOME, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`npm could not install it: ${String(error.stderr ?? error.message).trim().split('\n')[0]}`, { cause: error });
  }
}

function versionIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}
