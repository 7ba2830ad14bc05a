import { fileTree } from '../../src/audit/file-tree.js';
import { join } from 'node:path';
import { expect, describe, it } from 'vitest';
import { discover } from '../../src/audit/discover.js';
import { loadTypeScript } from '../../src/audit/load-typescript.js';
import { createSourceProject, type SourceProject } from '../../src/audit/source-project.js';
import { tempTree } from './temp-tree.js';
import { readFileSync } from 'node:fs';

const { typescript } = await loadTypeScript();

function projectOf(files: Readonly<Record<string, string>>): { root: string; project: SourceProject; resolve: (from: string, specifier: string) => string | undefined } {
  const root = tempTree(files);
  const found = discover({ root, paths: ['.'], include: { test: false, generated: false, declaration: false } });
  const scanned = found.files.map(({ path }) => path);
  const candidates = new Map(scanned.filter((path) => /lock/i.test(readFileSync(path, 'utf8'))).map((path) => [path, readFileSync(path, 'utf8')]));
  const project = createSourceProject({ typescript, candidates, scanned, configFiles: found.configFiles, tree: fileTree() });
  const resolve = (from: string, specifier: string): string | undefined => project.port.resolve(join(root, from), specifier)?.slice(root.length + 1);
  return { root, project, resolve };
}

describe('resolve', () => {
  it.each([
    ['./b', 'src/b.ts'], ['./b.js', 'src/b.ts'], ['./b.ts', 'src/b.ts'], ['./view.jsx', 'src/view.tsx'], ['./esm.mjs', 'src/esm.mts'], ['./plain.js', 'src/plain.js'],
    ['./lib', 'src/lib/index.ts'], ['./job.service', 'src/job.service.ts'], ['..', 'index.ts'], ['.', 'src/index.ts'], ['./types', undefined], ['./style.css', undefined], ['./none', undefined],
  ])('%s from src/a.ts leads to %s', (specifier, expected) => {
    const { resolve } = projectOf({
      'index.ts': '', 'src/a.ts': '', 'src/b.ts': '', 'src/view.tsx': '', 'src/esm.mts': '', 'src/plain.js': '', 'src/lib/index.ts': '',
      'src/job.service.ts': '', 'src/index.ts': '', 'src/types.d.ts': '', 'src/style.css': '',
    });
    expect(resolve('src/a.ts', specifier)).toBe(expected);
  });

  it('follows paths and baseUrl through an extends chain, comments and trailing commas included', () => {
    const { resolve, project } = projectOf({
      'tsconfig.base.json': '{ // shared\n "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["app/src/*"], "@lib": ["lib/main.ts"], }, }, }',
      'app/tsconfig.json': '{ "extends": ["@tsconfig/node20/tsconfig.json", "../tsconfig.base"] }',
      'app/src/a.ts': '', 'app/src/db/client.ts': '', 'lib/main.ts': '',
    });
    expect(resolve('app/src/a.ts', '@/db/client')).toBe('app/src/db/client.ts');
    expect(resolve('app/src/a.ts', '@lib')).toBe('lib/main.ts');
    expect(resolve('app/src/a.ts', 'lib/main')).toBe('lib/main.ts');
    expect(project.errors()).toEqual([]);
  });

  it('resolves paths without baseUrl from the config that has them, and the longest pattern wins', () => {
    const { resolve } = projectOf({
      'tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["./src/*"], "~/db/*": ["./database/*"] } } }',
      'src/a.ts': '', 'src/db/x.ts': '', 'database/x.ts': '', 'src/y.ts': '',
    });
    expect(resolve('src/a.ts', '~/db/x')).toBe('database/x.ts');
    expect(resolve('src/a.ts', '~/y')).toBe('src/y.ts');
  });

  it('asks the other configs of a folder when tsconfig.json only refers to them', () => {
    const { resolve } = projectOf({
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'tsconfig.app.json': '{ "compilerOptions": { "paths": { "@app/*": ["${configDir}/src/*"] } } }', 'src/a.ts': '', 'src/b.ts': '',
    });
    expect(resolve('src/a.ts', '@app/b')).toBe('src/b.ts');
  });

  it('finds the source of workspace packages by name, subpath and #import', () => {
    const { resolve } = projectOf({
      'packages/db/package.json': '{ "name": "@acme/db", "main": "./dist/index.js", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" }, "./locks/*": "./dist/locks/*.js" } }',
      'packages/db/src/index.ts': '', 'packages/db/src/locks/redis.ts': '',
      'packages/plain/package.json': '{ "name": "plain" }', 'packages/plain/src/index.ts': '', 'packages/plain/src/deep.ts': '',
      'fixtures/plain/package.json': '{ "name": "plain" }', 'fixtures/plain/index.ts': '',
      'apps/web/package.json': '{ "name": "web", "imports": { "#db": "./src/db.ts" } }', 'apps/web/src/a.ts': '', 'apps/web/src/db.ts': '',
    });
    expect(resolve('apps/web/src/a.ts', '@acme/db')).toBe('packages/db/src/index.ts');
    expect(resolve('apps/web/src/a.ts', '@acme/db/locks/redis')).toBe('packages/db/src/locks/redis.ts');
    expect(resolve('apps/web/src/a.ts', 'plain')).toBe('packages/plain/src/index.ts');
    expect(resolve('apps/web/src/a.ts', 'plain/deep')).toBe('packages/plain/src/deep.ts');
    expect(resolve('apps/web/src/a.ts', '#db')).toBe('apps/web/src/db.ts');
    expect(resolve('apps/web/src/a.ts', 'ioredis')).toBeUndefined();
    expect(resolve('apps/web/src/a.ts', 'node:fs')).toBeUndefined();
  });
});

describe('broken configuration', () => {
  it('names a tsconfig that cannot be parsed, with its line, and goes on', () => {
    const { root, project, resolve } = projectOf({ 'tsconfig.json': '{\n  "compilerOptions": {{\n}', 'src/a.ts': '', 'src/b.ts': '', 'package.json': '{{' });
    expect(project.errors()).toMatchObject([{ file: join(root, 'tsconfig.json'), line: 2 }]);
    expect(project.errors()[0]?.message).toMatch(/^This tsconfig cannot be parsed \(.+\); it was ignored\.$/);
    expect(resolve('src/a.ts', './b')).toBe('src/b.ts');
  });

  it('names a missing parent and a circle, once each', () => {
    const { project } = projectOf({
      'tsconfig.json': '{ "extends": "./none" }', 'x/tsconfig.json': '{ "extends": "./other.json" }', 'x/other.json': '{ "extends": "./tsconfig.json" }', 'x/a.ts': '',
    });
    expect(project.errors().map(({ message }) => message)).toEqual([
      'This tsconfig is extended but is not there; it was ignored.',
      'The `extends` of this tsconfig leads back to itself; the circle was cut here.',
    ]);
  });

  it('is silent about a config that governs no file to judge', () => {
    expect(projectOf({ 'test/broken/tsconfig.json': '{{', 'src/a.ts': '' }).project.errors()).toEqual([]);
  });
});

describe('file', () => {
  it('gives the same object for the same path, parents set, and parses others on demand', () => {
    const { root, project } = projectOf({ 'a.ts': 'export const lock = make();', 'b.ts': 'export const quiet = 1;' });
    const candidate = project.port.file(join(root, 'a.ts'));
    expect(project.port.file(join(root, 'a.ts'))).toBe(candidate);
    expect(candidate?.statements[0]?.parent).toBe(candidate);
    const other = project.port.file(join(root, 'b.ts'));
    expect(other?.text).toBe('export const quiet = 1;');
    expect(project.port.file(join(root, 'b.ts'))).toBe(other);
    expect(project.port.file(join(root, 'none.ts'))).toBeUndefined();
  });

  it('judges a file with a syntax error and names the error', () => {
    const { root, project } = projectOf({ 'a.ts': 'export const lock = 1;\nconst = ;\n' });
    expect(project.port.file(join(root, 'a.ts'))?.statements.length).toBeGreaterThan(0);
    expect(project.syntaxErrors()).toMatchObject([{ file: join(root, 'a.ts'), line: 2 }]);
    expect(project.syntaxErrors()[0]?.message).toMatch(/^Syntax error: /);
  });
});

it('filesMentioning finds whole words in candidates and in all other files, in path order', () => {
  const { root, project } = projectOf({ 'b.ts': 'withLock(() => 1)', 'a.ts': 'import { withLock } from "./x";', 'c.ts': 'withLocks(); $with', 'd.ts': 'quiet' });
  expect(project.port.filesMentioning('withLock')).toEqual([join(root, 'a.ts'), join(root, 'b.ts')]);
  expect(project.port.filesMentioning('quiet')).toEqual([join(root, 'd.ts')]);
  expect(project.port.filesMentioning('$with')).toEqual([join(root, 'c.ts')]);
  expect(project.port.filesMentioning('constructor')).toEqual([]);
});
