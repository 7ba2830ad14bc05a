import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parseSource } from '../../src/audit/parse.js';
import type { Ts } from '../../src/engine/syntax/typescript.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const AUDIT = join(ROOT, 'dist', 'src', 'audit');
const require = createRequire(createRequire(import.meta.url).resolve('ts-morph'));
// Both are the namespace of ts-morph's copy: the one of the build has a part of its names.
const whole = require('@ts-morph/common/dist/typescript.js') as Ts;
const parser = require(join(AUDIT, 'typescript-parser.cjs')) as Partial<Ts> & Pick<Ts, 'createSourceFile'>;

describe('the parser that the build cuts out of TypeScript', () => {
  it('makes the same trees, down to the comments before their nodes', () => {
    const files = ['fixtures', 'rules', 'src/cli'].flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((n) => /\.[cm]?[jt]sx?$/.test(n)).map((n) => join(ROOT, folder, n)));
    expect(files.length).toBeGreaterThan(500);
    for (const path of files) {
      const text = readFileSync(path, 'utf8');
      expect(shown(parser, path, text), path).toEqual(shown(whole, path, text));
    }
  }, 120_000);

  it.each(['const = ;', 'class { x y }', 'a `${', '<div>', 'enum E { A = }', 'function f( { return 1'])('tells the same of %s', (text) => {
    expect(shown(parser, '/broken.tsx', text)).toEqual(shown(whole, '/broken.tsx', text));
  });

  it('reads configuration files alike', () => {
    for (const text of ['{ "compilerOptions": { "paths": { "a": ["b"] } }, // why\n}', '{ "a": ', '[']) {
      const [own, other] = [parser.parseConfigFileTextToJson?.('/tsconfig.json', text), whole.parseConfigFileTextToJson('/tsconfig.json', text)];
      expect([own?.config, own?.error?.code, own?.error?.start, own?.error?.messageText]).toEqual([other.config, other.error?.code, other.error?.start, other.error?.messageText]);
    }
  });

  it('has all that the code asks of a namespace', () => {
    const asked = new Set(['src/engine', 'src/audit', 'src/exceptions', 'rules'].flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((n) => n.endsWith('.ts')).flatMap((n) => [...readFileSync(join(ROOT, folder, n), 'utf8').matchAll(/\b(?:ts|typescript)\.((?:is|get|can|create|for|parse|flatten)[A-Z]\w*)\(/g)].map(([, name = '']) => name))));
    expect(asked.size).toBeGreaterThan(100);
    expect([...asked].filter((name) => name in whole && !(name in parser))).toEqual([]);
  });

  it('comes with the licences of both', () => {
    expect(readFileSync(join(AUDIT, 'typescript-parser-licences.txt'), 'utf8')).toMatch(/^@ts-morph\/common [\d.]+, MIT\n[\s\S]*^typescript [\d.]+, Apache-2\.0\n/m);
    expect(dirname(AUDIT)).toBe(join(ROOT, 'dist', 'src'));
  });
});

/** Kinds, places, flags and texts of all nodes; the comments before them; the errors. */
function shown(typescript: Ts, path: string, text: string): readonly unknown[] {
  const file = parseSource(typescript, path, text) as ts.SourceFile & { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  const found: unknown[] = [];
  const visit = (node: ts.Node): void => {
    found.push([node.kind, node.pos, node.end, node.flags, node.getStart(file), 'text' in node && node !== file ? node.text : '', typescript.getLeadingCommentRanges(text, node.pos)?.length ?? 0, node.parent === file ? node.getChildCount(file) : 0]);
    typescript.forEachChild(node, visit);
  };
  visit(file);
  return [...found, file.parseDiagnostics.map(({ code, start, length, messageText }) => [code, start, length, typescript.flattenDiagnosticMessageText(messageText, '\n')])];
}
