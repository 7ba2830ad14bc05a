import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../../rules/index.js';
import { analyse } from '../../../src/engine/engine.js';
import type { Policy } from '../../../src/engine/models.js';
import { builtInModels } from '../../../src/models/index.js';

/** What a rule says of the sites of a fixture, each status once, under a policy. */
function statuses(rule: string, fixture: string, policy: Policy): readonly string[] {
  const path = fileURLToPath(new URL(`../../../fixtures/rules/${rule}/${fixture}.ts`, import.meta.url));
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const { sites } = analyse([file], { ts, models: { ...builtInModels, policy }, rules });
  return [...new Set(sites.flatMap((s) => s.outcomes[rule] ?? []).map((o) => o.status))].sort();
}

describe('the policy on outages', () => {
  it('is no matter where the code is judged without one', () => expect(statuses('no-fail-open', 'catch-says-acquired', {})).toContain('violated'));
  it('documents work that goes on', () => expect(statuses('no-fail-open', 'catch-says-acquired', { onOutage: 'fail-open' })).not.toContain('violated'));
  it('documents a lock that says yes to everybody', () => expect(statuses('no-fail-open', 'lock-of-nobody', { onOutage: 'fail-open' })).not.toContain('violated'));
  it('excuses no code that does otherwise', () => expect(statuses('no-fail-open', 'catch-says-acquired', { onOutage: 'fail-closed' })).toContain('violated'));
});

describe('the policy on contention', () => {
  it('makes waiting with pauses a choice', () => {
    expect(statuses('require-bounded-retry', 'while-true-until-granted', {})).toContain('violated');
    expect(statuses('require-bounded-retry', 'one-job-after-the-other', { onContention: 'wait' })).not.toContain('unknown');
  });
});
