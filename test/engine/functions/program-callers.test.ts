import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { programCallers } from '../../../src/engine/functions/program-callers.js';
import type { Unit } from '../../../src/engine/syntax/unit.js';
import { unitOf } from './hand-made.js';

/** `file: call` of each caller of the function that holds `mark()`, and why there may be more. */
function callers(files: Readonly<Record<string, string>>): string {
  const unit = unitOf(files);
  const { calls, unseen } = programCallers(unit, marked(unit));
  return [...calls.map(({ unit: from, call }) => `${from.path}: ${call.getText(from.file)}`), ...(unseen === undefined ? [] : [unseen])].join(', ');
}

function marked(unit: Unit): ts.FunctionLikeDeclaration {
  let found: ts.FunctionLikeDeclaration | undefined;
  const visit = (node: ts.Node): void => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isArrowFunction(node)) && node.getText(unit.file).includes('mark()')) found = node;
    ts.forEachChild(node, visit);
  };
  visit(unit.file);
  if (found === undefined) throw new Error('no function holds mark()');
  return found;
}

const STORE = 'export class Store { async close(id: string) { mark(); } }';

const cases: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['an imported function', { 'a.ts': 'export function f() { mark(); }', 'b.ts': `import { f } from './a'; f();` }, 'b.ts: f()'],
  ['renamed on the way', { 'a.ts': 'export function f() { mark(); }', 'i.ts': `export { f as g } from './a';`, 'b.ts': `import { g as f } from './i'; f();` }, 'b.ts: f()'],
  ['another function of the name', { 'a.ts': 'export function f() { mark(); }', 'b.ts': 'function f() {} f();' }, ''],
  ['by a namespace', { 'a.ts': 'export function f() { mark(); }', 'b.ts': `import * as a from './a'; a.f();` }, 'b.ts: a.f()'],
  ['handed on elsewhere', { 'a.ts': 'export function f() { mark(); }', 'b.ts': `import { f } from './a'; setTimeout(f, 1);` }, 'handed-on'],
  ['a method by its class', { 'a.ts': STORE, 'b.ts': `import { Store } from './a'; const s = new Store(); s.close('1');` }, `b.ts: s.close('1')`],
  ['a method by a parameter', { 'a.ts': STORE, 'b.ts': `import type { Store } from './a'; export function go(s: Store) { return s.close('1'); }` }, `b.ts: s.close('1')`],
  ['a method by its interface', {
    'a.ts': `import type { Closing } from './c'; export class Store implements Closing { async close(id: string) { mark(); } }`,
    'b.ts': `import type { Closing } from './c'; export function go(s: Closing) { return s.close('1'); }`,
    'c.ts': 'export interface Closing { close(id: string): Promise<void> }',
  }, `b.ts: s.close('1')`],
  ['an interface of the name that the class does not implement', {
    'a.ts': STORE, 'b.ts': 'interface Door { close(id: string): void } export function go(d: Door) { d.close("1"); }',
  }, ''],
  ['a method on something nobody knows', { 'a.ts': STORE, 'b.ts': 'export function go(s: any) { s.close("1"); }' }, 'unresolved'],
  ['a method of a package', { 'a.ts': STORE, 'b.ts': `import { door } from 'doors'; door.close('1');` }, ''],
  ['tests do not count', { 'a.ts': STORE, 'b.test.ts': `import { Store } from './a'; new Store().close('1');` }, ''],
  ['a private method', { 'a.ts': 'export class Store { open() { this.close(); } private close() { mark(); } }', 'b.ts': 'x.close();' }, 'a.ts: this.close()'],
];

describe('callers of a function in all files', () => {
  for (const [name, files, expected] of cases) it(name, () => expect(callers(files)).toBe(expected));
});
