import { runCommandLine } from '../../src/cli/command-line.js';
import type { Review } from '../../src/review/types.js';

export interface Run { readonly status: number; readonly stdout: string; readonly stderr: string }

/** Runs a command line in this process: what it prints and its exit code. */
export async function stepLock(cwd: string, ...args: string[]): Promise<Run> {
  let stdout = '';
  let stderr = '';
  const status = await runCommandLine(args, { cwd, env: {}, stdout: { write: (text) => { stdout += text; } }, stderr: { write: (text) => { stderr += text; } } });
  return { status, stdout, stderr };
}

/** The review of an audit, as its JSON says. */
export async function reviewIn(cwd: string, ...args: string[]): Promise<Review> {
  const { stdout, stderr } = await stepLock(cwd, 'audit', '--format', 'json', ...args);
  if (stdout === '') throw new Error(stderr);
  // The contract: what the json format prints is a review.
  return JSON.parse(stdout) as Review;
}
