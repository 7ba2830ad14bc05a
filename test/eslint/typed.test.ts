import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeEngine, fakeRule, pluginWith } from './fake-engine.js';

const FILES = {
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true, "types": [], "paths": { "@app/*": ["./src/*"] } }, "include": ["src"] }',
  'package.json': '{ "type": "module" }',
  'src/worker.ts': `import { faultyLock } from './store.js';\nimport '@app/store.js';\nimport 'library';\nfaultyLock();\n`,
  'src/store.ts': 'export function faultyLock(): void {}\n',
  'src/script.ts': `#!/usr/bin/env node\nimport { faultyLock } from './store.js';\nfaultyLock();\n`,
  'src/other.ts': 'export const faultyLocks = 1;\n',
  'src/types.d.ts': 'declare function faultyLockDeclared(): typeof import("./store.js").faultyLock;\n',
  'node_modules/library/package.json': '{ "name": "library", "main": "index.js", "types": "index.d.ts" }',
  'node_modules/library/index.d.ts': 'export function faultyLock(): void;\n',
};

describe('typed', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'step-lock-typed-')));
  const engine = fakeEngine([fakeRule('lock-rule')]);
  const at = (path: string) => join(root, path);

  beforeAll(() => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    }
  });
  afterAll(() => { rmSync(root, { recursive: true }); });

  it('reaches the files of the program through the project port, and no others', async () => {
    const eslint = new ESLint({
      cwd: root,
      overrideConfigFile: true,
      overrideConfig: [
        { files: ['**/*.ts'], languageOptions: { parser: typescriptParser, parserOptions: { project: true, tsconfigRootDir: root } } },
        ...pluginWith(engine).configs.recommended,
      ],
    });
    const [result] = await eslint.lintFiles(['src/worker.ts']);
    expect(result?.messages).toMatchObject([{ ruleId: 'step-lock/lock-rule', line: 4 }]);

    const project = engine.asked[0]?.project;
    expect(project?.resolve(at('src/worker.ts'), './store.js')).toBe(at('src/store.ts'));
    expect(project?.resolve(at('src/worker.ts'), '@app/store.js')).toBe(at('src/store.ts'));
    expect(project?.resolve(at('src/worker.ts'), 'library')).toBeUndefined();
    expect(project?.resolve(at('src/worker.ts'), './missing.js')).toBeUndefined();
    expect(project?.filesMentioning('faultyLock')).toEqual([at('src/script.ts'), at('src/store.ts'), at('src/worker.ts')]);
    expect(project?.file(at('src/types.d.ts'))).toBeUndefined();
    expect(project?.file(at('node_modules/library/index.d.ts'))).toBeUndefined();
    const store = project?.file(at('src/store.ts'));
    expect(store).toBe(project?.file(at('src/store.ts')));
    expect(store?.statements[0]?.parent).toBe(store);
  });

  it('reaches them from a script, whose first line the parser is handed otherwise', async () => {
    const own = fakeEngine([fakeRule('lock-rule')]);
    const eslint = new ESLint({
      cwd: root,
      overrideConfigFile: true,
      overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser, parserOptions: { project: true, tsconfigRootDir: root } } }, ...pluginWith(own).configs.recommended],
    });
    const [result] = await eslint.lintFiles(['src/script.ts']);
    expect(result?.messages).toMatchObject([{ ruleId: 'step-lock/lock-rule', line: 3 }]);
    expect(own.asked[0]?.project.resolve(at('src/script.ts'), './store.js')).toBe(at('src/store.ts'));
  });
});
