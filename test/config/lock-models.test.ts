import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { analyse } from '../../src/engine/engine.js';
import { reported } from '../../src/engine/judge/reported.js';
import type { LockModel } from '../../src/engine/models.js';
import { builtInModels } from '../../src/models/index.js';
import { FAULTS, HOUSE, MISUSED, USED_WELL } from './house-wrapper.js';

function findings(code: string, ...locks: LockModel[]): string[] {
  const file = ts.createSourceFile('sample.ts', code, ts.ScriptTarget.Latest, true);
  const { sites, errors } = analyse([file], { ts, models: { ...builtInModels, locks }, rules });
  expect(errors).toEqual([]);
  return reported(sites, rules, 'recommended').map(({ rule, outcome }) => `${rule.id}:${outcome.at.line}`);
}

describe('a modelled wrapper whose source nobody sees', () => {
  it('says nothing without its model', () => {
    expect(findings(MISUSED)).toEqual([]);
  });

  it('has its misuse found', () => {
    expect(findings(MISUSED, HOUSE).sort()).toEqual([...FAULTS].sort());
  });

  it('is quiet about good use', () => {
    expect(findings(USED_WELL, HOUSE)).toEqual([]);
  });

  it('is found through a field, a namespace, an alias, a factory and require', () => {
    const use = (setup: string, enter: string): string => `${setup}\nexport async function f(id: string, me: string, work: () => Promise<void>) {\n  if (!(await ${enter}(id, me, { for: 5000 }))) return;\n  await work();\n  await ${enter.replace('enter', 'leave').replace('goIn', 'goOut')}(id, me);\n}\n`;
    const asFunction: LockModel = { id: 'f', package: '@acme/turns', operations: [{ op: 'acquire', call: 'enter', key: 'arg0', owner: 'arg1', result: 'boolean' }, { op: 'release', call: 'leave', key: 'arg0', owner: 'arg1' }] };
    expect(findings(use('const { Turns } = require(\'@acme/turns\');\nconst turns = new Turns();', 'turns.enter'), HOUSE)).toContain('require-release:5');
    expect(findings(use('const acme = require(\'@acme/turns\');\nconst turns = new acme.Turns();', 'turns.enter'), HOUSE)).toContain('require-release:5');
    const asFactory: LockModel = { id: 'f', package: '@acme/turns', operations: [{ op: 'acquire', call: 'makeTurns#enter', key: 'arg0', owner: 'arg1', result: 'boolean' }, { op: 'release', call: 'makeTurns#leave', key: 'arg0', owner: 'arg1' }] };
    const field = 'import type { Turns } from \'@acme/turns\';\nclass W { constructor(private readonly turns: Turns) {}\n async f(id: string, me: string, work: () => Promise<void>) { if (!(await this.turns.enter(id, me, { for: 5000 }))) return;\n await work();\n await this.turns.leave(id, me); } }';
    expect(findings(field, HOUSE)).toContain('require-release:4');
    expect(findings(use('import * as t from \'@acme/turns\';', 't.enter'), asFunction)).toContain('require-release:4');
    expect(findings(use('import { enter as goIn, leave as goOut } from \'@acme/turns/node\';', 'goIn'), asFunction)).toContain('require-release:4');
    expect(findings(use('const { enter, leave } = require(\'@acme/turns\');', 'enter'), asFunction)).toContain('require-release:4');
    expect(findings(use('import { makeTurns } from \'@acme/turns\';\nconst turns = makeTurns({});', 'turns.enter'), asFactory)).toContain('require-release:5');
    expect(findings(use('import { enter, leave } from \'@other/turns\';', 'enter'), asFunction)).toEqual([]);
  });

  it('gives back by a handle, a method of it, a part of it, or by calling it', () => {
    const model: LockModel = { id: 'h', package: '@acme/turns', operations: [
      { op: 'acquire', call: 'enter', key: 'arg0', ttl: { at: 'arg1', unit: 's' }, result: 'handle-or-null' },
      { op: 'release', call: '#leave' }, { op: 'release', call: '#()' }, { op: 'release', call: 'leave', handle: 'arg0' },
    ] };
    const use = (taken: string, left: string): string => `import { enter, leave } from '@acme/turns';\nexport async function f(id: string, work: () => Promise<void>) {\n  const ${taken} = await enter(id, 30);\n  if (!${taken.replace(/[{} ]/g, '')}) return;\n  try { await work(); } finally { await ${left}.catch(() => undefined); }\n}\n`;
    expect(findings(use('turn', 'turn.leave()'), model)).toEqual([]);
    expect(findings(use('turn', 'turn()'), model)).toEqual([]);
    expect(findings(use('turn', 'leave(turn)'), model)).toEqual([]);
    expect(findings(use('turn', 'leave(turn)').replace('try {', '').replace('} finally {', ''), model)).toContain('require-release:5');
  });

  it('may outlive its TTL, unless the model says that the library renews it', () => {
    const code = 'import { during } from \'@acme/turns\';\nimport { setTimeout as sleep } from \'node:timers/promises\';\nexport const f = (id: string) => during(id, 1000, async () => {\n  await sleep(60_000);\n});\n';
    const model = (renews: boolean): LockModel => ({ id: 'r', package: '@acme/turns', operations: [{ op: 'run', call: 'during', key: 'arg0', ttl: { at: 'arg1', unit: 'ms' }, renews }] });
    expect(findings(code, model(false))).toEqual(['require-renewal:4']);
    expect(findings(code, model(true))).toEqual([]);
  });

  it('runs a function under it', () => {
    const model: LockModel = { id: 'r', package: '@acme/turns', operations: [{ op: 'run', call: 'during', key: 'arg0', ttl: { at: 'arg1.ttl', unit: 'ms' } }] };
    const code = 'import { during } from \'@acme/turns\';\nconst TTL_SECONDS = 5;\nexport const f = (id: string, work: () => Promise<void>) => during(id, { ttl: TTL_SECONDS }, async () => { await work(); });\n';
    expect(findings(code, model)).toEqual(['require-ttl:3']);
  });
});
