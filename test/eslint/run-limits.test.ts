import { join } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import { expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { audit } from '../../src/audit/audit.js';
import { reported } from '../../src/engine/judge/reported.js';
import plugin from '../../src/eslint/index.js';
import { builtInModels } from '../../src/models/index.js';
import { tempTree } from '../audit/temp-tree.js';

const ROUTE = `import type { Redis } from 'ioredis';
declare const redis: Redis;
declare const feeds: { pull(): Promise<void> };
export async function GET(): Promise<void> {
  if ((await redis.set('lock:feeds', '1', 'EX', 300, 'NX')) !== 'OK') return;
  try { await feeds.pull(); } finally { await redis.del('lock:feeds'); }
}
`;
const limit = (seconds: number): string => JSON.stringify({ functions: { 'api/**/*.ts': { maxDuration: seconds } } });

it('a run that its platform ends before its lock runs out is no finding, in the audit and in the editor', async () => {
  const root = tempTree({ 'slow/vercel.json': limit(900), 'slow/api/feeds.ts': ROUTE, 'ended/vercel.json': limit(300), 'ended/api/feeds.ts': ROUTE });
  // With what a run keeps for the next one, and without.
  for (const more of [{}, { earlier: { state: undefined, key: '' } }]) {
    const { analysis: { sites } } = await audit({ cwd: root, models: builtInModels, rules, ...more });
    const found = reported(sites, rules, 'recommended').filter(({ rule }) => rule.id === 'require-atomic-release');
    expect(found.map(({ outcome }) => outcome.at.file)).toEqual([join(root, 'slow/api/feeds.ts')]);
  }

  const linter = new ESLint({ cwd: root, overrideConfigFile: true, overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser } }, ...plugin.configs.recommended] });
  const linted = await linter.lintFiles(['.']);
  const told = linted.flatMap(({ filePath, messages }) => messages.flatMap(({ ruleId }) => (ruleId === 'step-lock/require-atomic-release' ? [filePath] : [])));
  expect(told).toEqual([join(root, 'slow/api/feeds.ts')]);
});
