import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { callersOf } from '../../../src/engine/functions/callers.js';
import type { Unit } from '../../../src/engine/syntax/unit.js';
import { unitOf } from './hand-made.js';

/** `calls exported passedOn` of the function that holds `mark()`. */
function callers(text: string): string {
  const unit = unitOf({ 'a.ts': text });
  const { calls, exported, passedOn } = callersOf(unit, marked(unit));
  return `${calls.map((c) => c.getText(unit.file)).join(' ')}${exported ? ' exported' : ''}${passedOn ? ' passed on' : ''}`.trim();
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

const cases: readonly (readonly [string, string, string])[] = [
  ['declaration', 'function f() { mark(); } function g() { f(); }', 'f()'],
  ['exported', 'export function f() { mark(); }', 'exported'],
  ['exported in a list', 'function f() { mark(); } f(); export { f as g };', 'f() exported'],
  ['arrow of a name', 'const f = () => mark(); f(); export default f;', 'f() exported'],
  ['method by this', 'export class A { private f() { mark(); } g() { this.f(); } }', 'this.f()'],
  ['public method of an exported class', 'export class A { f() { mark(); } }', 'exported'],
  ['method of a class of its own', 'class A { f() { mark(); } } const a = new A(); a.f();', 'a.f()'],
  ['another function of the name', 'function f() { mark(); } { const f = other(); f(); }', ''],
  ['handed over', 'function f() { mark(); } setInterval(f, 5);', 'passed on'],
  ['handed over as an argument where it is written', 'queue.process(async () => { mark(); });', 'passed on'],
  ['property of an exported object', 'export const api = { f: () => mark() };', 'exported'],
];

describe('callers of a function', () => {
  for (const [name, text, expected] of cases) it(name, () => expect(callers(text)).toBe(expected));
});
