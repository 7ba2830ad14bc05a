import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { audit } from '../../src/audit/audit.js';
import { reported } from '../../src/engine/judge/reported.js';
import { builtInModels } from '../../src/models/index.js';
import { CONFLICTS, WRITERS } from './agent-runtime-targets.js';

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

it('knows who writes runs and steps, how each is entered, and which of them can overlap', async () => {
  const { analysis } = await audit({ cwd: root, models: builtInModels, rules });
  const place = (id: string): string => id.slice(root.length + '/src/'.length).replace(/:\d+$/, '');
  expect(analysis.targets.map(({ name }) => name)).toEqual(['runs', 'steps']);
  for (const { name, writers, conflicts } of analysis.targets) {
    expect(writers.map((w) => `${place(w.site)} | ${w.actor} | ${w.from} -> ${w.to} | ${w.guard.replace(/:.*/, '')} | ${w.lock}`)).toEqual(WRITERS[name]);
    expect(conflicts.map((pair) => pair.map(place).join(' against '))).toEqual(CONFLICTS[name]);
    // Every writer is a site of the review, and so is every end of a conflict.
    expect([...writers.map((w) => w.site), ...conflicts.flat()].filter((id) => !analysis.sites.some((site) => site.id === id && site.subject === 'T'))).toEqual([]);
  }
  // The step lock protects steps; nothing takes a lock for a run, and the locks of the tick and the sweep protect no row.
  const protecting = analysis.locks.filter(({ protects }) => protects.length > 0).map(({ id, protects }) => `${place(id)} ${protects.join(', ')}`);
  expect(protecting).toEqual(['compensation.ts:36 steps', 'pause.ts:21 steps', 'resume.ts:22 steps', 'signals.ts:22 steps', 'transition-guard.ts:29 steps', 'worker.ts:37 steps']);
});
