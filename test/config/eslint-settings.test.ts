import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint, Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { defineConfig } from '../../src/config/index.js';
import plugin from '../../src/eslint/index.js';
import { tempTree } from '../audit/temp-tree.js';
import { FAULTS, HOUSE, MISUSED, USED_WELL } from './house-wrapper.js';

function lint(code: string, settings: object = {}): string[] {
  const config: Linter.Config[] = [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser } }, ...plugin.configs.recommended, { settings: { 'step-lock': settings } }];
  return new Linter().verify(code, config, { filename: 'worker.ts' }).map(({ ruleId, line, message }) => (ruleId === null ? message : `${ruleId.replace('step-lock/', '')}:${line}`)).sort();
}

describe('settings of ESLint', () => {
  const settings = defineConfig({ locks: [HOUSE] });

  it('make the misuse of a wrapper found whose source nobody sees', () => {
    expect(lint(MISUSED)).toEqual([]);
    expect(lint(MISUSED, settings)).toEqual([...FAULTS].sort());
    expect(lint(USED_WELL, settings)).toEqual([]);
  });

  it('with a mistake throw one sentence with place and mend', () => {
    expect(() => lint(MISUSED, { locks: [{ ...HOUSE, operations: [{ op: 'acquire', call: 'enter', key: 'first' }] }] }))
      .toThrow('`locks[0].operations[0].key` in ESLint settings[\'step-lock\'] must be a slot like `arg0`, `arg1.ttlMs`, `arg#last`, `arg#fn` or `recv`, not `first`. docs/configuration.md shows what can be said.');
  });
});

describe('tags in another file of the program', () => {
  it('make the misuse of a wrapper found in a file that holds no telling word', async () => {
    const root = tempTree({
      'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true, "types": [] }, "include": ["*.ts"] }', 'package.json': '{ "type": "module" }',
      'turns.ts': 'export interface Turns {\n  /** @acquiresLock ttl=wait.for unit=ms */\n  enter(stepId: string, worker: string, wait: { for: number }): Promise<boolean>;\n  /** @releasesLock owner=worker ifNotHeld=harmless */\n  leave(stepId: string, worker?: string): Promise<void>;\n}\n',
      'worker.ts': MISUSED.replace('{ Turns } from \'@acme/turns\'', 'type { Turns } from \'./turns.js\''),
    });
    const eslint = new ESLint({
      cwd: root, overrideConfigFile: true,
      overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser, parserOptions: { project: true, tsconfigRootDir: root } } }, ...plugin.configs.recommended],
    });
    const [result] = await eslint.lintFiles(['worker.ts']);
    expect(result?.messages.map(({ ruleId, line }) => `${ruleId?.replace('step-lock/', '') ?? ''}:${line}`).sort()).toEqual([...FAULTS].sort());
  });
});

describe('a wrong tag in a linted file', () => {
  it('throws with file, line and mend', () => {
    expect(() => lint('// lock\n/** @acquiresLock key=stpId */\nexport declare function enter(stepId: string): Promise<boolean>;\n'))
      .toThrow('worker.ts:2 `key=stpId` in `@acquiresLock` of `enter` names no parameter: its parameters are `stepId`.');
  });
});
