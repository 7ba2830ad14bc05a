import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { audit, type AuditOptions, type AuditResult } from '../../src/audit/audit.js';
import { LARGEST_FILE } from '../../src/audit/read-source.js';
import type { Models } from '../../src/engine/models.js';
import { builtInModels } from '../../src/models/index.js';
import { git, tempTree } from './temp-tree.js';

// Only the text scan matters here; what the engine finds has tests of its own.
const models: Models = { ...builtInModels, words: ['lock'] };
const run = (cwd: string, options: Partial<AuditOptions> = {}): Promise<AuditResult> => audit({ cwd, models, rules: [], ...options });

it('parses candidates only and counts the rest', async () => {
  const root = tempTree({ 'src/b.ts': 'export const lock = 1;', 'src/a.ts': 'export const LOCK = 1;', 'src/c.ts': 'export const quiet = 1;' });
  const result = await run(root);
  expect(result.judged).toEqual([join(root, 'src/a.ts'), join(root, 'src/b.ts')]);
  expect(result.withoutSubjects).toBe(1);
  expect(result.skipped).toEqual([]);
  expect(result.errors).toEqual([]);
});

it('names files that cannot be judged, each with its reason', async () => {
  const root = tempTree({ 'large.ts': '// lock\n'.repeat(LARGEST_FILE / 8 + 1), 'latin.ts': Uint8Array.from([0x2f, 0x2f, 0xe9, 0x0a]), 'made.ts': '// @generated\nlock();', 'a.ts': 'lock();' });
  const result = await run(root);
  expect(result.skipped).toEqual([
    { file: 'large.ts', reason: 'larger than 2 MB (2.0 MB)' },
    { file: 'latin.ts', reason: 'not UTF-8 text' },
    { file: 'made.ts', reason: 'generated code (judged with --include-generated)' },
  ]);
  expect(result.judged).toEqual([join(root, 'a.ts')]);
});

it('judges a generated file that is named or asked for', async () => {
  const root = tempTree({ 'made.ts': '// @generated\nlock();' });
  expect((await run(root, { paths: ['made.ts'] })).judged).toHaveLength(1);
  expect((await run(root, { include: { generated: true } })).judged).toHaveLength(1);
});

it('takes a byte order mark off, so that offsets are those of the editor', async () => {
  const root = tempTree({ 'a.ts': '\uFEFFlock();' });
  expect((await run(root)).errors).toEqual([]);
});

it('passes over a file that git tracks and the work tree lacks', async () => {
  const root = tempTree({ 'a.ts': 'lock();', 'b.ts': 'lock();', 'was/folder.ts': 'lock();' });
  git(root, 'init');
  git(root, 'add', '.');
  git(root, 'rm', '--cached', 'a.ts');
  rmSync(join(root, 'b.ts'));
  rmSync(join(root, 'was'), { recursive: true });
  writeFileSync(join(root, 'was'), 'a file where a folder was');
  const result = await run(root);
  expect(result.judged).toEqual([join(root, 'a.ts')]);
  expect(result.skipped).toEqual([]);
});

it('tells where the working directory lies in its repository', async () => {
  const root = tempTree({ 'packages/a/x.ts': 'lock();' });
  git(root, 'init');
  expect((await run(join(root, 'packages/a'))).pathPrefix).toBe('packages/a/');
  expect((await run(root)).pathPrefix).toBe('');
});

it('works on an empty folder', async () => {
  const result = await run(tempTree({}));
  expect(result).toMatchObject({ judged: [], withoutSubjects: 0, skipped: [], errors: [] });
});
