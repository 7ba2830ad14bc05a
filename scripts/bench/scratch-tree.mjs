// Copies of a checkout that may be changed: sources copied, dependencies linked, one commit of git.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** A copy of the checkout at `target`, with a commit. Folders of dependencies are links to those of the checkout, and are never written to. */
export function copyCheckout(checkout, target) {
  copySources(checkout, target, { linkDependencies: true });
  commitAll(target);
  return target;
}

/** A tree of `count` copies of one folder under distinct names, without dependencies: what a monorepo of such packages looks like. */
export function copyManyTimes(folder, target, count) {
  for (let copy = 1; copy <= count; copy += 1) {
    const home = join(target, `copy-${copy}`);
    copySources(folder, home, { linkDependencies: false });
    renamePackage(home, copy);
  }
  commitAll(target);
  return target;
}

function copySources(from, to, { linkDependencies }) {
  const links = [];
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => {
      if (basename(path) === '.git') return false;
      if (basename(path) !== 'node_modules') return true;
      links.push(path);
      return false;
    },
  });
  if (!linkDependencies) return;
  for (const path of links) symlinkSync(path, join(to, relative(from, path)), 'junction');
}

/** Packages of one name in one workspace are a mistake that no project makes. */
function renamePackage(folder, copy) {
  const file = join(folder, 'package.json');
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return;
  }
  if (typeof manifest.name === 'string') writeFileSync(file, JSON.stringify({ ...manifest, name: `${manifest.name}-copy-${copy}` }, null, 2));
}

function commitAll(folder) {
  const git = (...args) => execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false', '-c', 'gc.auto=0', ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  git('init', '-q');
  // `node_modules/` in an ignore file does not match a link of that name.
  writeFileSync(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
  git('add', '-A');
  git('commit', '-q', '--no-verify', '--allow-empty', '-m', 'base');
}

/** TypeScript sources under a folder, sorted, relative to `root`: no declarations, no tests by name, no dependencies. */
export function sourceFiles(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name) && !/\.d\.[cm]?ts$|\.(?:test|spec)\./.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/(?:^|\/)(?:node_modules|dist|__tests__|tests?)\//.test(path.split(sep).join('/')))
    .sort();
}
