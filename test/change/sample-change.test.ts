import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ProtocolChange, Review } from '../../src/review/types.js';
import { commit, repository, reviewOf, stepLock } from './git-tree.js';

const SAMPLE = fileURLToPath(new URL('../../fixtures/projects/agent-runtime', import.meta.url));

/** The sample in a repository, with edits in its work tree. */
function changed(edits: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>): string {
  const root = repository({ 'README.md': '' });
  cpSync(SAMPLE, root, { recursive: true });
  commit(root, 'sample');
  for (const [file, replacements] of Object.entries(edits)) {
    const path = join(root, file);
    let text = readFileSync(path, 'utf8');
    for (const [from, to] of replacements) {
      if (!text.includes(from)) throw new Error(`${file} holds no ${from}`);
      text = text.replace(from, to);
    }
    writeFileSync(path, text);
  }
  return root;
}

/** `weaker steps: guard dropped ..`. */
function told(review: Review): string[] {
  return (review.change?.protocol ?? []).map(({ effect, subject, what }: ProtocolChange) => `${effect} ${subject}: ${what}`);
}

describe('how a change moves the protocol', () => {
  it('a shorter lease', async () => {
    const root = changed({ 'src/reaper.ts': [['SWEEP_TTL_MS = 120_000', 'SWEEP_TTL_MS = 5_000']] });
    const review = await reviewOf(root, 'HEAD');
    expect(told(review)).toEqual(['weaker \'agent:reaper:sweep-lock\': TTL 2 min to 5 s in `Reaper.sweep`']);
    // The finding stands on the call under the lock; the constant above it was changed.
    const [finding] = review.findings.filter(({ change }) => change === 'new');
    expect(finding).toMatchObject({ rule: 'require-renewal', file: 'src/reaper.ts', line: 30, causedBy: { file: 'src/reaper.ts', line: 9, note: 'the change names `SWEEP_TTL_MS`' } });
  });

  it('a compare of the owner that is gone, in the function that frees', async () => {
    const root = changed({ 'src/step-lock.ts': [['await this.redis.eval(COMPARE_AND_DELETE, 1, this.key(stepId), owner);', 'await this.redis.del(this.key(stepId));']] });
    expect(told(await reviewOf(root, 'HEAD'))).toContain('weaker `${this.prefix}:${stepId}`: owner compare removed in `RedisStepLock.release`');
  });

  it('a guard that is gone, and one that came', async () => {
    const root = changed({ 'src/resume.ts': [[' AND status = \'suspended\'', '']], 'src/timeouts.ts': [['WHERE id = $1', 'WHERE id = $1 AND status = \'running\'']] });
    const moved = told(await reviewOf(root, 'HEAD'));
    expect(moved).toContain('weaker steps: guard dropped in `ResumeApi.resume`: grade 4: status is compared with the expected state to grade 0: only `id` chooses the row');
    expect(moved).toContain('stronger steps: guard added in `TimeoutJob.expire`: grade 0: only `id` chooses the row to grade 4: status is compared with the expected state');
  });

  it('a caller that drops its lock: the writes in functions it calls are named, and the changed line', async () => {
    const root = changed({ 'src/worker.ts': [['const acquired = await this.lock.acquire(stepId, owner, STEP_TTL_MS);', 'const acquired = true;']] });
    const review = await reviewOf(root, 'HEAD');
    expect(told(review)).toEqual(expect.arrayContaining([
      'weaker stepId: is no longer taken in `StepWorker.runStep`',
      'weaker steps: lock `acquire(stepId)` dropped in `StepWorker.execute` (3 places)',
      expect.stringMatching(/^weaker coverage: \d sites are no longer seen$/),
    ]));
    for (const { causedBy, file, line } of review.findings.filter(({ change }) => change === 'new')) {
      expect(causedBy ?? { file, line }).toMatchObject({ file: 'src/worker.ts' });
    }
  });

  it('work that moved into the section, and a writer that came', async () => {
    const root = changed({
      'src/resume.ts': [['    try {', '    try {\n      await fetch(`https://example.org/${stepId}`);\n      await fetch(`https://example.org/${stepId}/again`);']],
      'src/cancel.ts': [['export class CancelApi', 'export async function forceFail(pool: Pool, stepId: string): Promise<void> {\n  await pool.query("UPDATE steps SET status = \'failed\' WHERE id = $1", [stepId]);\n}\n\nexport class CancelApi']],
    });
    const moved = told(await reviewOf(root, 'HEAD'));
    expect(moved).toContain('different stepId: two awaits moved into the section in `ResumeApi.resume`');
    expect(moved.find((line) => line.startsWith('weaker steps: writer gained: `forceFail` (any -> failed; guard grade 0'))).toBeDefined();
  });

  it('what only moved is no change', async () => {
    const root = changed({ 'src/worker.ts': [['export class StepWorker', '/** Works. */\n\n\nexport class StepWorker']], 'src/retry.ts': [['const owner = randomUUID();', 'const owner = randomUUID(); // who']] });
    const review = await reviewOf(root, 'HEAD');
    expect(review.change).toMatchObject({ new: 0, fixed: [], protocol: [] });
    expect(review.change?.old).toBeGreaterThan(5);
  });

  it('is told in the text report: new findings with what brought them, the protocol, then the mended', async () => {
    const root = changed({ 'src/reaper.ts': [['SWEEP_TTL_MS = 120_000', 'SWEEP_TTL_MS = 5_000']], 'src/scheduler.ts': [['\'NX\'', '\'PX\', 60_000, \'NX\'']] });
    const { code, stdout } = await stepLock(root, 'review', '--base', 'HEAD', '--no-cache', '--no-color');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error \w+ require-renewal {2}src\/reaper\.ts:30/);
    expect(stdout).toContain('  brought by  src/reaper.ts:9  the change names `SWEEP_TTL_MS`');
    const order = ['change against HEAD', '  weaker     \'agent:reaper:sweep-lock\': TTL 2 min to 5 s', '  stronger   \'agent:scheduler:tick-lock\': TTL none to 1 min', '  mended     require-ttl  src/scheduler.ts'];
    const at = order.map((line) => stdout.indexOf(line));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at.every((place) => place > 0), stdout).toBe(true);
  });
});
