import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { loadTypeScript } from '../../../src/audit/load-typescript.js';
import { parseSource } from '../../../src/audit/parse.js';
import { callersOf } from '../../../src/engine/functions/callers.js';
import { withReads } from '../../../src/engine/kept.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { moduleHead } from '../../../src/engine/syntax/module-head.js';
import { answersOf, questionOf } from '../../../src/engine/syntax/questions.js';
import { createUnits, type Unit } from '../../../src/engine/syntax/unit.js';

const { typescript } = await loadTypeScript();
const PATH = '/a.ts';
const TEXT = `import { pool, type Row as Line } from './pool.js';
import * as all from './all.js';
export { helper as help } from './helper.js';
export * from './star.js';

/** Told before it. */
export function claim(id: string): Promise<boolean> {
  return pool.query('claim', id);
}

let counter = 0;
export const count = (): number => {
  counter += 1;
  return counter;
};

export class Store {
  private readonly rows = new Map<string, Line>();
  save(id: string): void {
    this.rows.set(id, { id });
  }
  load(id: string): Line | undefined {
    return this.rows.get(id);
  }
}

export default Store;
`;

function unitOf(text = TEXT): Unit {
  return createUnits(typescript, NO_PROJECT, undefined, true).of(parseSource(typescript, PATH, text));
}

function questions(work: (unit: Unit) => unknown, text = TEXT): string[] {
  const unit = unitOf(text);
  return [...withReads(() => work(unit)).reads].map((key) => questionOf(key)?.question ?? key).sort();
}

function declared(unit: Unit, name: string): ts.Node {
  const node = unit.scopes.lookup(name, unit.file)?.declaration;
  if (node === undefined) throw new Error(`no ${name}`);
  return node;
}

function walk(node: ts.Node): void {
  typescript.forEachChild(node, walk);
}

describe('a watched tree tells', () => {
  it('the name that is looked up, and nothing of its body', () => {
    expect(questions((unit) => typescript.isFunctionDeclaration(declared(unit, 'claim')))).toEqual(['#claim']);
  });

  it('a name that is not there: it may come', () => {
    expect(questions((unit) => unit.scopes.lookup('later', unit.file))).toEqual(['#later']);
  });

  it('who may assign to a name that can be assigned to', () => {
    expect(questions((unit) => declared(unit, 'counter'))).toEqual(['#counter', '?counter']);
  });

  it.each([
    ['claim', ['#claim', '{claim']], ['count', ['#count', '{count']], ['Store', ['#Store', '{Store.load', '{Store.rows', '{Store.save']],
  ])('the bodies that are gone down into: %s', (name, expected) => {
    expect(questions((unit) => { walk(declared(unit, name)); })).toEqual(expected);
    expect(questions((unit) => declared(unit, name).getText(unit.file))).toEqual(expected);
    expect(questions((unit) => declared(unit, name).getFullText(unit.file))).toEqual(expected);
  });

  it('all, where all is walked through or the text is read', () => {
    expect(questions((unit) => { walk(unit.file); })).toEqual(['.', '{Store.load', '{Store.rows', '{Store.save', '{claim', '{count', '{counter']);
    expect(questions((unit) => unit.text.length)).toEqual(['']);
  });

  it('the name by which a function is called in its file, and not what else the file declares', () => {
    expect(questions((unit) => {
      const claim = declared(unit, 'claim');
      return typescript.isFunctionDeclaration(claim) && callersOf(unit, claim);
    })).toEqual(['#claim', '?claim']);
  });

  it('imports and directives, and whether there is an export', () => {
    expect(questions((unit) => moduleHead(unit).imports.map((one) => one.getText(unit.file)))).toEqual(['<']);
  });

  it('a pattern that is looked for', () => {
    expect(questions((unit) => unit.says(/lock|lease/i))).toEqual(['~/lock|lease/i']);
  });

  it('the place of what is named in a message', () => {
    expect(questions((unit) => unit.placeOf(declared(unit, 'claim')))).toEqual(['#claim', '@#claim']);
    expect(questions((unit) => {
      const claim = declared(unit, 'claim');
      return typescript.isFunctionDeclaration(claim) && claim.body?.statements[0] && unit.placeOf(claim.body.statements[0]);
    })).toEqual(['#claim', '@{claim', '{claim']);
  });
});

describe('an answer moves', () => {
  const QUESTIONS = ['', '!', '.', '<', '#claim', '#count', '#counter', '#Store', '#pool', '#Line', '#all', '#later', '>claim', '>help', '>default', '{claim', '{count', '{Store.save', '{Store.load', '{Store.rows', '?counter', '?pool', '?claim', '~/lock/', '@#claim', '@{claim', '@{Store.save'];

  function moved(edit: (text: string) => string): string[] {
    const text = edit(TEXT);
    if (text === TEXT) throw new Error('no edit');
    const [before, after] = [TEXT, text].map((one) => answersOf(typescript, parseSource(typescript, PATH, one)));
    return QUESTIONS.filter((question) => before?.(question) !== after?.(question));
  }

  it.each<readonly [string, (text: string) => string, string[]]>([
    ['a body', (t) => t.replace('\'claim\', id', '\'taken\', id'), ['', '{claim', '?pool', '?claim']],
    ['a body that grows', (t) => t.replace('  counter += 1;', '  counter += 1;\n  void 0;'), ['', '{count', '?counter', '@{Store.save']],
    ['a signature', (t) => t.replace('claim(id: string)', 'claim(id: number)'), ['', '.', '#claim', '?claim']],
    ['the comment before', (t) => t.replace('Told before it', 'Told anew'), ['', '.', '#claim', '?claim']],
    ['an import beside', (t) => t.replace('{ pool,', '{ pool, other,'), ['', '.', '<', '?pool']],
    ['an imported name', (t) => t.replace('type Row as Line', 'type Column as Line'), ['', '.', '<', '#Line', '?pool']],
    ['where a name comes from', (t) => t.replace('./all.js', './every.js'), ['', '.', '<', '#all']],
    ['an export of another name', (t) => t.replace('helper as help', 'other as help'), ['', '.', '>help']],
    ['the default', (t) => t.replace('export default Store', 'export default claim'), ['', '.', '>default', '?claim']],
    ['a module exported whole', (t) => t.replace('./star.js', './moon.js'), ['', '.', '>claim', '>help', '>default']],
    ['a line above', (t) => `// new\n${t}`, ['', '.', '@#claim', '@{claim', '@{Store.save', '?pool']],
    ['a directive', (t) => `'use server';\n${t}`, ['', '.', '<', '@#claim', '@{claim', '@{Store.save']],
    ['the last mark of an export', (t) => t.replaceAll(/export (?=async|function|const|class)/g, ''), ['', '.', '<', '#claim', '#count', '#Store', '?claim', '@#claim', '@{claim']],
    ['a name that comes', (t) => `${t}const later = 1;\n`, ['', '.', '#later']],
    ['a name that goes', (t) => t.replace(/\/\*\* Told[^]*?\n\}\n/, ''), ['', '.', '#claim', '>claim', '{claim', '?pool', '?claim', '@#claim', '@{claim', '@{Store.save']],
    ['a function that is replaced', (t) => `${t}claim = later;\n`, ['', '.', '#claim', '?claim']],
    ['a word', (t) => t.replace('\'claim\', id', '\'lock\', id'), ['', '{claim', '?pool', '?claim', '~/lock/']],
  ])('%s', (_, edit, expected) => {
    expect(moved(edit).sort()).toEqual([...expected].sort());
  });
});

it('texts are read through units, which note it', () => {
  const folder = fileURLToPath(new URL('../../../src/engine', import.meta.url));
  const allowed = new Set(['syntax/unit.ts', 'syntax/doc-comments.ts', 'syntax/doc-tags.ts', 'syntax/questions.ts', 'syntax/pieces.ts', 'judge/checked-suggestions.ts']);
  const plain = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !allowed.has(name.replaceAll('\\', '/')) && /\bfile\.text\b|\bfile\.(?:getFullText|getText)\(|\{[^}]*\btext\b[^}]*\} = (?:unit\.)?file\b|getSourceFile\(\)\./.test(readFileSync(join(folder, name), 'utf8')));
  expect(plain).toEqual([]);
});
