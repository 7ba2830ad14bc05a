import { x } from 'tinyexec';

/** What a git command answered. Output is text; a name that is no UTF-8 is beyond what the audit reads anyway. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  /** The first line of what git said went wrong, without its `fatal:`. */
  readonly complaint: string;
}

/**
 * Runs git in a folder. The answer is in plain English and untouched by the person's own settings: no colours, no external diff tools, no quoted names.
 * @returns never rejects for a git that fails or is missing.
 */
export async function runGit(folder: string, args: readonly string[]): Promise<GitAnswer> {
  // GIT_DIR and its kin are set inside hooks and would point every folder at one repository.
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, GIT_EXTERNAL_DIFF: _tool, ...env } = process.env;
  try {
    const { stdout, stderr, exitCode } = await x('git', ['-c', 'core.quotePath=false', ...args], {
      nodeOptions: { cwd: folder, env: { ...env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' } },
    });
    return { ok: exitCode === 0, stdout, complaint: firstLine(stderr) };
  } catch (error) {
    return { ok: false, stdout: '', complaint: error instanceof Error ? error.message : String(error) };
  }
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^(?:fatal|error): /, '').trim();
}
