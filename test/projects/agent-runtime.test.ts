import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { audit } from '../../src/audit/audit.js';
import { reported } from '../../src/engine/judge/reported.js';
import { builtInModels } from '../../src/models/index.js';

interface Planted { readonly file: string; readonly line: number; readonly rule: string }

const root = fileURLToPath(new URL('../../fixtures/projects/agent-runtime', import.meta.url));
const planted: readonly Planted[] = JSON.parse(readFileSync(`${root}/EXPECTED.json`, 'utf8'));

it('finds the faults planted in the sample, and nothing else', async () => {
  const { analysis } = await audit({ cwd: root, models: builtInModels, rules });
  const found = reported(analysis.sites, rules, 'recommended').map(({ rule, outcome: { at } }) => `${at.file.slice(root.length + 1)}:${at.line} ${rule.id}`);
  const wanted = planted.filter(({ rule }) => rules.some(({ id }) => id === rule)).map(({ file, line, rule }) => `${file}:${line} ${rule}`);
  expect(wanted.length).toBeGreaterThan(0);
  expect(found.sort()).toEqual(wanted.sort());
});
