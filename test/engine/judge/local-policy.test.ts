import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../../rules/index.js';
import { analyse } from '../../../src/engine/engine.js';
import { builtInModels } from '../../../src/models/index.js';

const path = fileURLToPath(new URL('../../../fixtures/rules/no-local-lock/promise-chain-of-seats.ts', import.meta.url));

function outcomes(instances: 'one' | 'many' | undefined): readonly string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const models = { ...builtInModels, ...(instances !== undefined && { policy: { instances } }) };
  return analyse([file], { ts, models, rules }).sites.flatMap((s) => s.outcomes['no-local-lock'] ?? []).map((o) => o.status).filter((s) => s !== 'not-applicable');
}

describe('the policy on instances', () => {
  it('is asked for where no code tells', () => expect(outcomes(undefined)).toEqual(['unknown']));
  it('makes a lock of one process enough', () => expect(outcomes('one')).toEqual([]));
  it('makes it a fault', () => expect(outcomes('many')).toEqual(['violated']));
});
