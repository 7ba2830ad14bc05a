import { spawnSync } from 'node:child_process';

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
