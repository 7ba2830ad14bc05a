import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { kindsOf } from '../../../src/engine/syntax/kinds.js';

const TEXT = `${readFileSync(new URL('../../../src/engine/syntax/scope.ts', import.meta.url), 'utf8')}
  class A { constructor() { super(); } get a() { return <any>1; } set a(v) {} m() { return (x as any)!.y satisfies unknown; } }
  const o = { m() { return function () {}; } };
  tag\`text\`; new A();`;

it('the groups of kinds are those that the guards tell', () => {
  const kinds = kindsOf(ts);
  const seen = { wrappers: 0, functions: 0, asked: 0 };
  const visit = (n: ts.Node): void => {
    const isWrapper = ts.isParenthesizedExpression(n) || ts.isAsExpression(n) || ts.isNonNullExpression(n) || ts.isSatisfiesExpression(n) || ts.isTypeAssertionExpression(n);
    const isFunction = ts.isFunctionLike(n) && (ts.isFunctionDeclaration(n) || ts.isFunctionExpression(n) || ts.isArrowFunction(n) || ts.isClassElement(n) || ts.isObjectLiteralElement(n)) && !ts.isIndexSignatureDeclaration(n);
    const isAsked = isFunction || ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n) || ts.isClassLike(n) || ts.isNewExpression(n) || ts.isObjectLiteralExpression(n);
    expect([kinds.wrappers[n.kind] === 1, kinds.functions[n.kind] === 1, kinds.asked[n.kind] === 1], ts.SyntaxKind[n.kind]).toEqual([isWrapper, isFunction, isAsked]);
    seen.wrappers += Number(isWrapper);
    seen.functions += Number(isFunction);
    seen.asked += Number(isAsked);
    ts.forEachChild(n, visit);
  };
  visit(ts.createSourceFile('a.ts', TEXT, ts.ScriptTarget.Latest, true));
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});
