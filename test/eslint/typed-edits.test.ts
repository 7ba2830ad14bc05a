import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import { ESLint, type Linter } from 'eslint';
import { expect, it } from 'vitest';
import plugin from '../../src/eslint/index.js';
import { tempTree } from '../audit/temp-tree.js';

const STORE = `declare const prisma: { step: { update(args: object): Promise<unknown>; updateMany(args: object): Promise<{ count: number }> } };
export async function finish(id: string, output: string) {
  await prisma.step.update({ where: { id }, data: { status: 'succeeded', output } });
}
export async function cancel(id: string) {
  await prisma.step.update({ where: { id }, data: { status: 'cancelled' } });
}
`;
const WORKER = `import { Worker } from 'bullmq';
import { finish } from './store.js';
export const worker = new Worker('steps', async (job: { data: { id: string } }) => { await finish(job.data.id, 'x'); });
`;
const CANCEL = `import express from 'express';
import { cancel } from './store.js';
const app = express();
app.post('/cancel', async (req: { body: { id: string } }) => { await cancel(req.body.id); });
`;

it('after an edit of another file a file is judged as in a program that never held the old text', async () => {
  const root = tempTree({
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "strict": true, "types": [], "noLib": true }, "include": ["src"] }',
    'package.json': '{ "type": "module" }',
    'src/store.ts': STORE, 'src/one.ts': WORKER, 'src/two.ts': CANCEL.replace('await cancel(req.body.id);', ''),
  });
  const eslint = new ESLint({
    cwd: root, overrideConfigFile: true,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser, parserOptions: { project: true, tsconfigRootDir: root, disallowAutomaticSingleRunInference: true } } }, ...plugin.configs.strict],
  });
  const lint = async (path: string): Promise<Linter.LintMessage[]> => (await eslint.lintFiles([path])).flatMap(({ messages }) => messages);
  const all = async () => ({ one: await lint('src/one.ts'), store: await lint('src/store.ts'), two: await lint('src/two.ts') });
  const before = await all();
  expect(Object.values(before).flat().filter(({ fatal }) => fatal)).toEqual([]);
  writeFileSync(join(root, 'src/two.ts'), CANCEL);
  await lint('src/two.ts');
  const after = await all();
  typescriptParser.clearCaches();
  const anew = await all();
  expect(anew.store).not.toEqual(before.store);
  expect(after).toEqual(anew);
});
