import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { rules } from '../../../rules/index.js';
import { analyse } from '../../../src/engine/engine.js';
import { builtInModels } from '../../../src/models/index.js';
import { allFixtures } from '../../fixtures/fixture-files.js';

it('an analysis of sites alone has the same sites, with the same facts when they are asked for', () => {
  let sites = 0;
  for (const { path } of allFixtures()) {
    const text = readFileSync(path, 'utf8');
    const [whole, alone] = [false, true].map((sitesOnly) => analyse([ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)], { ts, models: builtInModels, rules, sitesOnly }));
    expect(JSON.parse(JSON.stringify(alone?.sites)), path).toEqual(JSON.parse(JSON.stringify(whole?.sites)));
    expect(alone?.lookAlikes).toEqual([]);
    sites += whole?.sites.length ?? 0;
  }
  expect(sites).toBeGreaterThan(500);
}, 120_000);
