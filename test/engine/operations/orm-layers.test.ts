import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { chainOf } from '../../../src/engine/operations/access-orm-chain.js';
import { layersAsking, ORM_LAYERS } from '../../../src/engine/operations/access-orm.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { createUnits } from '../../../src/engine/syntax/unit.js';

/** The fixtures, and the cases of the layers' own test, which have what no fixture has. */
const FOLDERS = [fileURLToPath(new URL('../../../fixtures/', import.meta.url)), fileURLToPath(new URL('.', import.meta.url))];

describe('the names that a layer asks for', () => {
  it('are among those of every chain that it takes', () => {
    const missed: string[] = [];
    const taking = new Set<number>();
    for (const { path, text } of sources()) {
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      const unit = createUnits(ts, NO_PROJECT).of(file);
      const visit = (n: ts.Node): void => {
        const chain = ts.isCallExpression(n) ? chainOf(unit, n) : undefined;
        for (const [at, { layer }] of chain === undefined ? [] : ORM_LAYERS.entries()) {
          if (chain === undefined || layer(chain) === undefined) continue;
          taking.add(at);
          if ((layersAsking(chain) & (1 << at)) === 0) missed.push(`${layer.name} takes ${chain.call.getText(file).slice(0, 80)}`);
        }
        ts.forEachChild(n, visit);
      };
      visit(file);
    }
    expect(missed).toEqual([]);
    // A layer that takes nothing here would prove nothing.
    expect(ORM_LAYERS.flatMap(({ layer }, at) => (taking.has(at) ? [] : layer.name))).toEqual([]);
  }, 120_000);

  it('are few: a call of no layer is looked at by those alone that any name may do', () => {
    const asking = layersAsking({ steps: [{ name: 'formatDate', args: [], call: ts.factory.createCallExpression(ts.factory.createIdentifier('formatDate'), undefined, []), receiver: undefined }] });
    expect(ORM_LAYERS.filter((_, at) => (asking & (1 << at)) !== 0).map(({ layer }) => layer.name)).toEqual(['knexAccess']);
  });
});

/** Files, and the code in the template strings of tests. */
function* sources(): Iterable<{ readonly path: string; readonly text: string }> {
  for (const folder of FOLDERS) {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((n) => /\.tsx?$/.test(n))) {
      const text = readFileSync(join(folder, name), 'utf8');
      if (!name.endsWith('.test.ts')) yield { path: `/${name}`, text };
      else yield* codeIn(name, text);
    }
  }
}

function codeIn(name: string, text: string): { readonly path: string; readonly text: string }[] {
  const found: { readonly path: string; readonly text: string }[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isStringLiteralLike(n) && n.text.includes('(')) found.push({ path: `/${name}-${String(found.length)}.ts`, text: n.text });
    ts.forEachChild(n, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return found;
}
