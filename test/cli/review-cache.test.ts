import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, tempTree } from '../audit/temp-tree.js';
import { commit, lockWithoutTtl, put, repository, stepLock, type Reviewed } from '../change/git-tree.js';
import { seeded } from '../robustness/seeded.js';

const ROUNDS = Number(process.env['STEP_LOCK_RUNS'] ?? 8);
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"name":"app"}', 'tsconfig.json': '{"compilerOptions":{"paths":{"@app/*":["./src/*"]}}}', '.gitignore': 'ignored\n',
  'src/one.ts': lockWithoutTtl('one'), 'src/two.ts': lockWithoutTtl('two'), 'src/quiet.ts': 'export const quiet = 1;\n',
  'src/user.ts': "import { one } from '@app/one';\nexport async function step(redis: import('ioredis').Redis, id: string) {\n  await one(redis, id, 'worker', async () => undefined);\n}\n",
};
const TEXTS = [lockWithoutTtl('one'), lockWithoutTtl('three'), `// moved\n${lockWithoutTtl('two')}`, lockWithoutTtl('one').replace("'NX'", "'PX', 30_000, 'NX'"), 'export const nothing = 0;\n', 'export const broken = {;\n'];
const PATHS = ['src/one.ts', 'src/two.ts', 'src/quiet.ts', 'src/user.ts', 'src/new.ts', 'src/new.test.ts', 'ignored/one.ts', 'dist/out.ts'];

function review(root: string, ...args: string[]): Promise<Reviewed> {
  return stepLock(root, 'review', '--base', 'main', '--format', 'json', ...args);
}

function settle(): Promise<void> {
  return new Promise((done) => { setTimeout(done, 60); });
}

describe('a review with a cache says what one without says, to the byte', () => {
  it.each([['of reviews', false], ['of audits too', true]])('%s, whatever happened to tree and base since', async (_, withAudits) => {
    const choose = seeded(withAudits ? 7 : 8);
    const root = repository(FILES);
    const cache = tempTree({});
    git(root, 'checkout', '-q', '-b', 'work');
    await settle();
    if (withAudits) await stepLock(root, 'audit', '--cache-location', cache);
    for (let round = 0; round < ROUNDS; round++) {
      const kind = choose(10);
      const path = PATHS[choose(PATHS.length)] ?? '';
      if (kind === 0) rmSync(join(root, path), { force: true });
      else if (kind === 1) put(root, { 'tsconfig.json': choose(2) === 0 ? FILES['tsconfig.json'] : '{}' });
      else if (kind === 2) commit(root, `round ${String(round)}`);
      else if (kind === 3) git(root, 'branch', '-f', 'main', 'HEAD');
      else put(root, { [path]: TEXTS[choose(TEXTS.length)] });
      await settle();
      if (withAudits && choose(3) === 0) await stepLock(root, 'audit', '--cache-location', cache);
      const cold = await review(root, '--no-cache');
      expect(await review(root, '--cache-location', cache), `round ${String(round)}`).toEqual(cold);
      // Once more: what the run before has kept.
      expect(await review(root, '--cache-location', cache), `round ${String(round)}, again`).toEqual(cold);
    }
  }, 300_000);
});
