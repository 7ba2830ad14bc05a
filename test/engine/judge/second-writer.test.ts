import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import rule from '../../../rules/require-cas.js';
import { audit } from '../../../src/audit/audit.js';
import { renderMessage } from '../../../src/engine/judge/rule.js';
import { builtInModels } from '../../../src/models/index.js';

const PROGRAM = fileURLToPath(new URL('../../../fixtures/programs/second-writer/', import.meta.url));

const { analysis } = await audit({ cwd: PROGRAM, models: builtInModels, rules: [rule] });
const told = new Map<string, { readonly message: string; readonly conflict: string | undefined }>(analysis.sites.flatMap((site) => {
  const outcome = site.outcomes['require-cas'];
  if (outcome?.status !== 'violated') return [];
  const file = outcome.at.file.slice(outcome.at.file.lastIndexOf('/') + 1);
  const conflict = outcome.conflictsWith?.slice(outcome.conflictsWith.lastIndexOf('/') + 1).replace(/:\d+$/, '');
  return [[`${file}:${outcome.at.line}`, { message: renderMessage(rule, outcome.messageId, outcome.data), conflict }] as const];
}));

test.each([
  // A cancel from outside comes while the work goes on.
  ['executor.ts:10', 'what `POST /jobs/:id/cancel` (routes.ts:7) writes in between is overwritten', 'routes.ts:7'],
  ['executor.ts:12', 'what `POST /jobs/:id/cancel` (routes.ts:7) writes in between is overwritten', 'routes.ts:7'],
  ['routes.ts:7', 'what the worker `executionProcessor` (executor.ts:10) writes in between is overwritten', 'executor.ts:10'],
  // Two kinds of jobs do not meet on one row: each meets only itself.
  ['importer.ts:6', 'it hits just as well after a second delivery of this job has written the row', 'importer.ts:6'],
  ['exporter.ts:7', 'it hits just as well after a second delivery of this job has written the row', 'exporter.ts:7'],
  // Messages of another system about one thing arrive twice, late and in any order.
  ['payments.ts:8', 'delivered late or twice, this overwrites whatever was written since', 'payments.ts:8'],
])('%s names who can meet it', (place, words, conflict) => {
  expect(told.get(place)?.message).toContain(words);
  expect(told.get(place)?.conflict).toBe(conflict);
});
