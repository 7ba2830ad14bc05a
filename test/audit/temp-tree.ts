import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes files below a fresh temporary folder and returns the folder. It is removed when the test ends. */
export function tempTree(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'step-lock-test-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Runs git in a temporary tree, whatever the machine's own configuration says. */
export function git(root: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false', '-c', 'core.excludesFile=/dev/null'];
  execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore', env: { PATH: process.env['PATH'] } });
}
