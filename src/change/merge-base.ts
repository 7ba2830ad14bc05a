import { UserMistake } from '../audit/user-mistake.js';
import { runGit } from './git-run.js';

/** What head is compared with. */
export interface Base {
  /** The ref as it was given. */
  readonly ref: string;
  /** The commit of the merge base; the id of the tree where the ref names a tree. */
  readonly id: string;
  /** The commit of HEAD; undefined on a branch without one. */
  readonly head: string | undefined;
}

/**
 * The merge base of HEAD and a ref. A ref that names a tree, such as the empty one, is the base itself: so that a first commit can be reviewed.
 * @param folder A folder of the work tree.
 * @throws {UserMistake} where there is no repository, no such commit, or no common ancestor in sight.
 */
export function mergeBase(folder: string, ref: string): Base {
  const [commit, head] = bothCommits(folder, ref) ?? [resolved(folder, `${ref}^{commit}`), resolved(folder, 'HEAD^{commit}')];
  if (commit === undefined) {
    const tree = resolved(folder, `${ref}^{tree}`);
    if (tree !== undefined) return { ref, id: tree, head };
    throw notThere(folder, ref);
  }
  if (head === undefined) {
    throw new UserMistake('This branch has no commit yet, so that it shares no history with the base.', 'Commit first, or run `step-lock audit`.');
  }
  if (commit === head) return { ref, id: commit, head };
  const { ok, stdout } = runGit(folder, ['merge-base', commit, 'HEAD']);
  const id = stdout.trim();
  if (ok && id !== '') return { ref, id, head };
  if (isShallow(folder)) {
    throw new UserMistake(`The common ancestor of HEAD and \`${ref}\` is not in this shallow clone.`, `${FETCH_MORE} In GitHub Actions, give actions/checkout \`fetch-depth: 0\`; in GitLab CI, set \`GIT_DEPTH: 0\`.`);
  }
  throw new UserMistake(`HEAD and \`${ref}\` have no common ancestor.`, `Give a commit that this branch grew from, or \`--base ${emptyTree(folder)}\` (the empty tree) to have everything judged as new.`);
}

const FETCH_MORE = 'Fetch more of the history, `git fetch --unshallow` for all of it or `git fetch --deepen=200` for some.';

function notThere(folder: string, ref: string): UserMistake {
  if (/[~^]/.test(ref) && resolved(folder, `${ref.replace(/[~^].*$/, '')}^{commit}`) !== undefined && !isShallow(folder)) {
    return new UserMistake(`There is no commit \`${ref}\`: the history does not reach that far back.`, `A first commit is judged against the empty tree: \`--base ${emptyTree(folder)}\`.`);
  }
  const name = ref.replace(/^origin\//, '').replace(/[~^].*$/, '');
  const hint = isShallow(folder)
    ? `This clone is shallow. ${FETCH_MORE} A branch that was not fetched: \`git fetch origin ${name}\`. In GitHub Actions, give actions/checkout \`fetch-depth: 0\`.`
    : `Give a branch, tag or commit that is here, or fetch it: \`git fetch origin ${name}\` and \`--base origin/${name}\`.`;
  return new UserMistake(`There is no commit \`${ref}\` in this repository.`, hint);
}

function resolved(folder: string, spec: string): string | undefined {
  // A ref that begins with a dash must not be read as an option.
  const { ok, stdout } = runGit(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', spec]);
  const id = stdout.trim().split('\n').at(-1);
  return ok && id !== undefined && id !== '' ? id : undefined;
}

/** The commits of a ref and of HEAD, asked for at once: each question is a process. Undefined where one of them is not there. */
function bothCommits(folder: string, ref: string): readonly [string, string] | undefined {
  const { ok, stdout } = runGit(folder, ['rev-parse', '--end-of-options', `${ref}^{commit}`, 'HEAD^{commit}']);
  // Some versions print the option too.
  const [commit, head] = stdout.trim().split('\n').slice(-2);
  return ok && commit !== undefined && head !== undefined && ID.test(commit) && ID.test(head) ? [commit, head] : undefined;
}

const ID = /^[0-9a-f]{40,64}$/;

function isShallow(folder: string): boolean {
  return runGit(folder, ['rev-parse', '--is-shallow-repository']).stdout.trim() === 'true';
}

/** The id of the tree without a file: it depends on the repository's hash. */
function emptyTree(folder: string): string {
  return runGit(folder, ['hash-object', '-t', 'tree', '/dev/null']).stdout.trim();
}
