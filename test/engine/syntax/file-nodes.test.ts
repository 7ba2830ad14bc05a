import ts from 'typescript';
import { expect, it } from 'vitest';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { fileNodes } from '../../../src/engine/syntax/file-nodes.js';
import { quickly } from '../../../src/engine/syntax/typescript.js';
import { createUnits } from '../../../src/engine/syntax/unit.js';

const TEXT = 'a(b(), () => c`x`); class D { e() { return new F({ g: h() }); } }';

it('lists what questions begin at in the order of the text, what is around first', () => {
  const file = ts.createSourceFile('a.ts', TEXT, ts.ScriptTarget.Latest, true);
  const nodes = fileNodes(createUnits(ts, NO_PROJECT).of(file));
  const shown = (some: readonly ts.Node[]): string[] => some.map((n) => n.getText(file).slice(0, 6));
  expect(shown(nodes.calls)).toEqual(['a(b(),', 'b()', 'h()']);
  expect(shown(nodes.evaluations)).toEqual(['a(b(),', 'b()', 'c`x`', 'h()']);
  expect(shown(nodes.functions)).toEqual(['() => ', 'e() { ']);
  expect(shown(nodes.classes)).toEqual(['class ']);
  expect(shown(nodes.all)).toEqual(['a(b(),', 'b()', '() => ', 'c`x`', 'class ', 'e() { ', 'new F(', '{ g: h', 'h()']);
});

it('TypeScript that is quicker to ask has all that TypeScript has', () => {
  const quick = quickly(ts);
  for (const [name, value] of Object.entries(ts)) expect(quick[name as keyof typeof ts], name).toBe(value);
});
