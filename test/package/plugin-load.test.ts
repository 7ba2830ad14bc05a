import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

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

  it('is one file, with the licences of what is in it', () => {
    const { statements } = ts.createSourceFile('plugin.js', readFileSync(`${root}dist/src/eslint/index.js`, 'utf8'), ts.ScriptTarget.Latest);
    const imported = statements.flatMap((s) => (ts.isImportDeclaration(s) && ts.isStringLiteral(s.moduleSpecifier) ? s.moduleSpecifier.text : []));
    expect(imported.filter((name) => !name.startsWith('node:'))).toEqual(['@typescript-eslint/utils/eslint-utils']);
    expect(readdirSync(`${root}dist/src/eslint`).filter((file) => !file.endsWith('.d.ts'))).toEqual(['index.js', 'licences.txt']);
    expect(readFileSync(`${root}dist/src/eslint/licences.txt`, 'utf8').match(/^\S+ \d+\.\d+\.\d+, MIT$/gm)).toHaveLength(2);
  });

  it('is the plugin itself for `require`', () => {
    expect(run(`console.log(JSON.stringify(Object.keys(require('step-lock/eslint')).sort()))`, 'commonjs')).toEqual(['configs', 'meta', 'rules']);
  });
});
