import { describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { rules } from '../../rules/index.js';
import { audit } from '../../src/audit/audit.js';
import type { Models } from '../../src/engine/models.js';
import { builtInModels } from '../../src/models/index.js';
import { tempTree } from './temp-tree.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
/** Folders of real code bases to try besides, separated by `:`. */
const MORE = (process.env['STEP_LOCK_SCAN'] ?? '').split(':').filter((folder) => folder !== '');
const EVERY_FILE: Models = { ...builtInModels, words: [''] };

describe('The text scan loses no finding', () => {
  it.each(['rules', 'programs', 'projects/agent-runtime'].map((folder) => `${FIXTURES}/${folder}`).concat(MORE))('in %s', async (root) => {
    const [scanned, all] = [await findingsIn(root, builtInModels), await findingsIn(root, EVERY_FILE)];
    expect(scanned.findings).toEqual(all.findings);
    expect(scanned.findings.length).toBeGreaterThan(0);
    expect(scanned.judged).toBeLessThanOrEqual(all.judged);
  }, 600_000);

  it('and leaves out what only looks like one of its words', async () => {
    const root = tempTree({
      'screen.tsx': 'export function Screen() { const [open, setOpen] = useState(false); return <input placeholder="Please choose" className="block" onChange={() => setOpen(!open)} value={selected} />; }',
      'lock.ts': 'declare const redis: any; export const take = (id: string) => redis.set(`lock:${id}`, 1, "NX");',
    });
    expect((await findingsIn(root, builtInModels)).judged).toBe(1);
  });
});

async function findingsIn(root: string, models: Models): Promise<{ readonly findings: readonly string[]; readonly judged: number }> {
  const { analysis, judged } = await audit({ cwd: root, models, rules, include: { test: true } });
  const findings = analysis.sites.flatMap(({ id, outcomes }) => Object.entries(outcomes).flatMap(([rule, outcome]) => (outcome.status === 'violated' ? `${rule} ${outcome.certainty} ${outcome.messageId} ${id}` : [])));
  return { findings: findings.sort(), judged: judged.length };
}
