import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { tempTree } from '../audit/temp-tree.js';
import { FAULTY } from '../exceptions/faulty.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs a module in a fresh process at the package's own folder, where `step-lock/eslint` is the built plugin. */
function run(script: string, type: 'module' | 'commonjs'): unknown {
  const output = execFileSync(process.execPath, [`--input-type=${type}`, '-e', script], { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  return JSON.parse(output);
}

describe('the built plugin', () => {
  it('is built', () => {
    expect(existsSync(`${root}dist/src/eslint/index.js`), 'run `npm run build` first').toBe(true);
  });

  it('loads no TypeScript, no ESLint and no ts-morph', () => {
    const loaded = run(`
      import { createRequire } from 'node:module';
      await import('step-lock/eslint');
      const packages = Object.keys(createRequire(import.meta.url).cache).map((file) => file.replace(/^.*node_modules\\/((?:@[^/]+\\/)?[^/]+).*$/, '$1'));
      console.log(JSON.stringify([...new Set(packages)].filter((name) => !name.endsWith('package.json'))));
    `, 'module');
    expect(loaded).toEqual(['@typescript-eslint/utils']);
  });

  it('is two files, with the licences of what is in them', () => {
    const { statements } = ts.createSourceFile('plugin.js', readFileSync(`${root}dist/src/eslint/index.js`, 'utf8'), ts.ScriptTarget.Latest);
    const imported = statements.flatMap((s) => (ts.isImportDeclaration(s) && ts.isStringLiteral(s.moduleSpecifier) ? s.moduleSpecifier.text : []));
    expect(imported.filter((name) => !name.startsWith('node:'))).toEqual(['@typescript-eslint/utils/eslint-utils']);
    expect(readdirSync(`${root}dist/src/eslint`).filter((file) => !file.endsWith('.d.ts'))).toEqual(['index.js', 'judging.cjs', 'licences.txt']);
    expect(readFileSync(`${root}dist/src/eslint/licences.txt`, 'utf8').match(/^\S+ \d+\.\d+\.\d+, MIT$/gm)).toHaveLength(2);
  });

  it('loads what judges for the first lint of a file, and not for the next', () => {
    const cwd = tempTree({ 'a.ts': FAULTY, 'node_modules/x/package.json': '{}' });
    const lint = (): unknown => run(`
      import { createRequire } from 'node:module';
      import * as parser from '@typescript-eslint/parser';
      import { ESLint } from 'eslint';
      import plugin from 'step-lock/eslint';
      const overrideConfig = [{ files: ['**/*.ts'], languageOptions: { parser } }, ...plugin.configs.recommended];
      const [{ messages }] = await new ESLint({ cwd: ${JSON.stringify(cwd)}, overrideConfigFile: true, overrideConfig }).lintFiles(['a.ts']);
      const judged = Object.keys(createRequire(import.meta.url).cache).some((file) => /eslint[\\\\/]judging\\.cjs$/.test(file));
      console.log(JSON.stringify({ judged, found: messages.map(({ ruleId }) => ruleId) }));
    `, 'module');
    expect(lint()).toEqual({ judged: true, found: ['step-lock/require-ttl'] });
    expect(lint()).toEqual({ judged: false, found: ['step-lock/require-ttl'] });
  });

  it('is the plugin itself for `require`', () => {
    expect(run(`console.log(JSON.stringify(Object.keys(require('step-lock/eslint')).sort()))`, 'commonjs')).toEqual(['configs', 'meta', 'rules']);
  });
});
