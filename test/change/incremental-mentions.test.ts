import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { audit, type AuditResult } from '../../src/audit/audit.js';
import { packedState, unpackedState, type AuditState } from '../../src/audit/audit-state.js';
import { builtInModels } from '../../src/models/index.js';
import { tempTree } from '../audit/temp-tree.js';

const LOCK = `import { Redis } from 'ioredis';
export class Runner {
  constructor(private readonly redis: Redis) {}
  async handle(id: string) {
    await this.redis.query("UPDATE steps SET status = 'done' WHERE id = $1", [id]);
  }
}
`;
const MENTION = "import { Runner } from './runner.js';\nexport const all = (runner: Runner) => runner.handle('1');\n";

function run(root: string, state?: AuditState): Promise<AuditResult> {
  return audit({ cwd: root, models: builtInModels, rules, earlier: { state: state && unpackedState(packedState(state)), key: 'test' } });
}

function said({ analysis, judged, errors, withheld }: AuditResult): unknown {
  return JSON.parse(JSON.stringify({ analysis, judged, errors, withheld }));
}

it('a word in too many files counts only as such: one more is nothing, so many less are', async () => {
  const mentions = Array.from({ length: 70 }, (_, at) => `src/mention-${String(at)}.ts`);
  const root = tempTree({ 'src/runner.ts': LOCK, ...Object.fromEntries(mentions.map((path) => [path, MENTION])) });
  const first = await run(root);
  const reads = first.state?.().files.find(({ path }) => path.endsWith('runner.ts'))?.reads ?? [];
  expect(reads).toContain('%handle');
  expect(reads).not.toContain('?handle');

  writeFileSync(join(root, 'src/more.ts'), MENTION);
  const more = await run(root, first.state?.());
  expect(said(more)).toEqual(said(await run(root)));
  expect(more.judgedAnew).toBe(0);

  for (const path of mentions.slice(5)) rmSync(join(root, path));
  const less = await run(root, more.state?.());
  expect(said(less)).toEqual(said(await run(root)));
  expect(less.judgedAnew).toBe(1);
  expect(said(less)).not.toEqual(said(more));
}, 60_000);
