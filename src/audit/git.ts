import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { absolutePath } from './file-path.js';

/** Where a folder lies in its git work tree. */
export interface WorkTree {
  /** The top folder, absolute, with `/`. */
  readonly top: string;
  /** The folder seen from the top: empty, or `a/b/`. */
  readonly prefix: string;
}

/** The work tree a folder (absolute, with `/`) belongs to; `undefined` when git is missing or the folder belongs to none. */
export function workTree(folder: string): WorkTree | undefined {
  const [inside, prefix = ''] = git(folder, ['rev-parse', '--is-inside-work-tree', '--show-prefix'])?.split('\n') ?? [];
  if (inside !== 'true') return undefined;
  // Git's own --show-toplevel follows symbolic links; the paths of the audit are those the user sees.
  return { top: folder.slice(0, folder.length - prefix.length).replace(/\/$/, ''), prefix };
}

/** Files git knows and files it would add, each relative to the folder and in git's order; `undefined` outside a work tree. */
export interface GitListing {
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
}

/** Lists a folder through git. `patterns` are pathspecs; none lists all below the folder. */
export function gitListing(folder: string, patterns: readonly string[] = []): GitListing | undefined {
  const tracked = git(folder, ['ls-files', '-c', '-z', '--', ...patterns]);
  const untracked = git(folder, ['ls-files', '-o', '--exclude-standard', '-z', '--', ...patterns]);
  if (tracked === undefined || untracked === undefined) return undefined;
  // A file in conflict is listed once a stage.
  return { tracked: [...new Set(split(tracked))], untracked: split(untracked) };
}

/** Whether git ignores the folder: its listing is then empty although the folder is not. */
export function ignoredByGit(folder: string): boolean {
  return git(folder, ['check-ignore', '-q', '.']) !== undefined;
}

/**
 * Files by which git tells what it lists in a folder, absolute, also such that are not there: the index, exclude files, and its configuration.
 * @param home The user's folder; undefined where there is none.
 */
export function listingFiles(folder: string, { home, xdg }: { readonly home: string | undefined; readonly xdg: string | undefined }): readonly string[] {
  const own = git(folder, ['rev-parse', '--git-path', 'index', '--git-path', 'info/exclude', '--git-path', 'config']);
  const known = own?.split('\n').filter((path) => path !== '') ?? [];
  const [origins, excludes] = configured(folder);
  const user = xdg ?? (home === undefined ? undefined : posix.join(home, '.config'));
  const usual = ['/etc/gitconfig', ...(home === undefined ? [] : [posix.join(home, '.gitconfig')]), ...(user === undefined ? [] : [posix.join(user, 'git/config'), posix.join(user, 'git/ignore')])];
  return [...new Set([...known, ...origins, ...excludes.map((path) => path.replace(/^~(?=\/)/, home ?? '~')), ...usual].map((path) => absolutePath(folder, path)))];
}

/** Folders that git ignores as a whole, relative to the folder. */
export function ignoredFolders(folder: string): readonly string[] {
  return split(git(folder, ['ls-files', '-o', '-i', '--exclude-standard', '--directory', '-z']) ?? '').filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
}

/** The files a configuration was read from, and the exclude files it names. */
function configured(folder: string): readonly [origins: readonly string[], excludes: readonly string[]] {
  const origins = new Set<string>();
  const excludes: string[] = [];
  const parts = split(git(folder, ['config', '--list', '--show-origin', '-z']) ?? '');
  for (const part of parts) {
    if (part.startsWith('file:')) origins.add(part.slice('file:'.length));
    else if (part.toLowerCase().startsWith('core.excludesfile\n')) excludes.push(part.slice('core.excludesfile\n'.length));
  }
  return [[...origins], excludes];
}

/** The commit that is checked out, and whether tracked files differ from it, one file left aside; `undefined` outside a work tree and before the first commit. */
export function headCommit(folder: string, beside: string): { readonly commit: string; readonly uncommitted: boolean } | undefined {
  const commit = git(folder, ['rev-parse', '--verify', '-q', 'HEAD'])?.trim();
  if (commit === undefined) return undefined;
  const status = ['status', '--porcelain', '--untracked-files=no', '--', ':/'];
  // Git refuses a path outside of the work tree, where there is nothing to leave aside.
  const changed = git(folder, [...status, `:(exclude,literal)${beside}`]) ?? git(folder, status);
  return { commit, uncommitted: changed !== '' };
}

function split(answer: string): string[] {
  return answer.split('\0').filter((path) => path !== '');
}

function git(folder: string, args: readonly string[]): string | undefined {
  // GIT_DIR and its kin are set inside hooks and would point every folder at one repository.
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = process.env;
  const run = spawnSync('git', [...args], { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 29, stdio: ['ignore', 'pipe', 'ignore'] });
  if (run.error !== undefined || run.status !== 0) return undefined;
  return run.stdout;
}
