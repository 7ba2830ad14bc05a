import { spawnSync } from 'node:child_process';
import { xSync } from 'tinyexec';

/** What a git command answered. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  /** The first line of what git said went wrong, without its `fatal:`. */
  readonly complaint: string;
}

/** More than any diff that a person reviews. */
const MOST_OUTPUT = 1 << 29;

/**
 * Runs git in a folder. The answer is in plain English and untouched by the person's own settings: no colours, no external diff tools, no quoted names.
 * Synchronous: what follows always needs the answer, and a name must not be cut where two pieces of output meet.
 * @returns never throws for a git that fails or is missing.
 */
export function runGit(folder: string, args: readonly string[]): GitAnswer {
  try {
    const { stdout, stderr, exitCode } = xSync('git', ['-c', 'core.quotePath=false', ...args], { inheritEnv: false, nodeOptions: { cwd: folder, env: environment(), maxBuffer: MOST_OUTPUT } });
    return { ok: exitCode === 0, stdout, complaint: firstLine(stderr) };
  } catch (error) {
    return { ok: false, stdout: '', complaint: error instanceof Error ? error.message : String(error) };
  }
}

/** The contents of blobs, by id. Bytes, not text: a file that is no UTF-8 must stay none. */
export function readBlobs(folder: string, ids: readonly string[]): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  if (ids.length === 0) return found;
  const { stdout } = spawnSync('git', ['cat-file', '--batch'], { cwd: folder, env: environment(), input: `${ids.join('\n')}\n`, maxBuffer: MOST_OUTPUT, stdio: ['pipe', 'pipe', 'ignore'] });
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf(0x0a, at);
    if (end === -1) break;
    // `<id> blob <size>`, or `<id> missing`.
    const [id = '', , size] = stdout.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    found.set(id, stdout.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** GIT_DIR and its kin are set inside hooks and would point every folder at one repository. */
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, GIT_EXTERNAL_DIFF: _tool, GIT_PREFIX: _prefix, ...env } = process.env;
  return { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^(?:fatal|error): /, '').trim();
}
