import { posix } from 'node:path';
import type { OtherVersion } from '../audit/file-tree.js';
import { absolutePath } from '../audit/file-path.js';
import { readSource } from '../audit/read-source.js';
import { workTree } from '../audit/git.js';
import { UserMistake } from '../audit/user-mistake.js';
import { changedLines, fromFiles, type ChangedFile, type ChangedLines } from './diff.js';
import { readBlobs, runGit } from './git-run.js';
import { mergeBase, type Base } from './merge-base.js';
import { rawChanges, type RawChange } from './raw-diff.js';

/** What the work tree changed against the merge base. */
export interface ChangeSet {
  readonly base: Base;
  /** The commit of HEAD; undefined on a branch without one. The work tree may differ from it. */
  readonly head: string | undefined;
  readonly lines: ChangedLines;
  /** The base laid over the work tree: what stood at every path that changed, absolute. */
  readonly baseVersion: OtherVersion;
}

const DIFF = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/', '--ignore-submodules=all', '-M', '-O/dev/null'];

/**
 * Compares the work tree, files that git does not know yet included, with the merge base of HEAD and a ref.
 * @throws {UserMistake} outside of a git work tree, and for a base that is not there.
 */
export function changeSet(cwd: string, ref: string): ChangeSet {
  const root = absolutePath(cwd, '.');
  const tree = workTree(root);
  if (tree === undefined) throw new UserMistake('This folder is in no git work tree, so that there is no base to compare it with.', 'Run `step-lock review` in a clone, or `step-lock audit` here.');
  const { top, prefix } = tree;
  const base = mergeBase(root, ref);
  const { raw, patch } = differences(top, base);
  const untracked = asked(top, ['ls-files', '-o', '--exclude-standard', '-z']).split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  const lines = changedLines(raw, patch, prefix);
  const files = [...lines.files, ...untracked.map((path) => whole(top, path, root))];

  const blobs = readBlobs(top, raw.flatMap(({ baseBlob }) => baseBlob ?? []));
  const baseVersion = new Map<string, Uint8Array | undefined>();
  for (const path of untracked) baseVersion.set(posix.join(top, path), undefined);
  for (const { path } of raw) baseVersion.set(posix.join(top, path), undefined);
  for (const { basePath, baseBlob } of raw) {
    if (basePath !== undefined && baseBlob !== undefined) baseVersion.set(posix.join(top, basePath), blobs.get(baseBlob));
  }
  return { base, head: base.head, lines: fromFiles(files.sort((a, b) => (a.path < b.path ? -1 : 1))), baseVersion };
}

/** What `git diff` says of the files and of their lines, asked for at once: each question is a process, and each looks at every file. */
function differences(top: string, base: Base): { readonly raw: readonly RawChange[]; readonly patch: string } {
  const both = asked(top, [...DIFF, '--raw', '--no-abbrev', '-z', '--patch', '-U0', base.id, '--']);
  const end = both.indexOf('\0\0');
  const raw = rawChanges(end < 0 ? both : both.slice(0, end + 1));
  // With `-z` the patch has such a name as it is, over two lines.
  const isUnclear = raw.some(({ path, basePath }) => path.includes('\n') || basePath?.includes('\n') === true);
  if (isUnclear) return { raw, patch: asked(top, [...DIFF, '-U0', base.id, '--']) };
  return { raw, patch: end < 0 ? '' : both.slice(end + 2) };
}

function asked(folder: string, args: readonly string[]): string {
  const { ok, stdout, complaint } = runGit(folder, args);
  if (!ok) throw new UserMistake(`git cannot tell what changed (${complaint}).`, 'Mend the clone, or run `step-lock audit`.');
  return stdout;
}

/** A file that git does not know yet: all of it is new. */
function whole(top: string, path: string, root: string): ChangedFile {
  const absolute = posix.join(top, path);
  const source = readSource(absolute);
  const length = source !== 'gone' && 'text' in source ? source.text.replace(/\n$/, '').split('\n').length : 0;
  const added = length === 0 ? [] : [{ first: 1, last: length }];
  return { path: posix.relative(root, absolute), basePath: undefined, status: 'added', added, gaps: [], hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: length }], shown: added };
}
