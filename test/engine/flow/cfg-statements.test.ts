import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { everything, graphOf, graphOfBody, graphOfModule, paths, pathsOf, throwingAt } from './flow-paths.js';

describe('roots', () => {
  it.each([
    ['function', 'function f() { a(); }', 'a() end'],
    ['arrow', 'x = () => { a(); };', 'a() end'],
    ['arrow with an expression', 'x = async () => await a();', 'a() await return end'],
    ['method', 'class C { m() { return a(); } }', 'a() return end'],
    ['accessor', 'class C { get m() { return a(); } }', 'a() return end'],
    ['constructor', 'class C extends B { constructor(private x) { super(a()); } }', 'a() super(a()) end'],
    ['generator', 'function* f() { yield; }', 'yield end | yield ! thrown'],
  ])('%s', (_, code, expected) => {
    expect(pathsOf(graphOf(code)).join(' | ')).toBe(expected);
  });

  it('module', () => {
    const code = 'import x from "y"; a(); export default b(); enum E { A = c() } namespace N { d(); } declare namespace M { const e: 1; } export const f = g();';
    expect(pathsOf(graphOfModule(code))).toEqual(['a() b() c() d() g() set<f = g()> end']);
  });

  it('static block', () => {
    const graph = graphOf('class C { static { a(); } }', {}, node => ts.isClassStaticBlockDeclaration(node) ? node : undefined);
    expect(pathsOf(graph)).toEqual(['a() end']);
  });

  it('without a body', () => {
    const graph = graphOf('function f(): void;', {}, node => ts.isFunctionDeclaration(node) ? node : undefined);
    expect(pathsOf(graph)).toEqual(['end']);
  });
});

describe('plain statements', () => {
  it('if and return', () => {
    expect(paths('if (x) return a(); else if (y) b(); c();')).toEqual(['x:true a() return end', 'x:false y:true b() c() end', 'x:false y:false c() end']);
  });

  it('throw ends the path', () => {
    expect(paths('if (x) throw f(); a();')).toEqual(['x:true f() throw thrown', 'x:false a() end']);
  });

  it('with, empty, and declarations of types and functions', () => {
    expect(paths(';;; with (a()) { b(); } function f() { c(); } type T = 1; interface I {} {}')).toEqual(['a() b() end']);
  });

  it('dead code has no nodes', () => {
    const graph = graphOfBody('return; a();');
    expect(pathsOf(graph)).toEqual(['return end']);
    expect(graph.nodes.map(node => node.kind)).toEqual(['entry', 'return', 'exit', 'throw-exit']);
  });
});

describe('loops', () => {
  it('while', () => {
    expect(paths('while (a()) { b(); } c();')).toEqual(['a() a():true b() again', 'a() a():false c() end']);
    expect(paths('while (true) { if (a) break; b(); } c();')).toEqual(['a:false b() again', 'a:true c() end']);
    expect(paths('while (1) { a(); } c();')).toEqual(['a() again']);
  });

  it('do', () => {
    expect(paths('do { if (a) continue; b(); } while (c()); d();').toSorted()).toEqual([
      'a:false b() c() c():false d() end',
      'a:false b() c() c():true again',
      'a:true c() c():false d() end',
      'a:true c() c():true again',
    ]);
  });

  it('for', () => {
    expect(paths('for (let i = a(); b(i); c(i)) { if (x) continue; d(); }')).toEqual([
      'a() set<i = a()> b(i) b(i):true x:false d() c(i) again',
      'a() set<i = a()> b(i) b(i):true x:true c(i) again',
      'a() set<i = a()> b(i) b(i):false end',
    ]);
    expect(paths('for (;;) a();')).toEqual(['a() again']);
  });

  it('for-of and for-in', () => {
    expect(paths('for (const x of a()) b(x);')).toEqual(['a() item set<x> b(x) again', 'a() no-item end']);
    expect(paths('for (a().b in c()) d();')).toEqual(['c() item a() set<a().b> d() again', 'c() no-item end']);
    expect(paths('for (const { x = f() } of y) ;')[0]).toBe('item x = f():not-defined f() set<{ x = f() }> again');
  });

  it('for await', () => {
    expect(paths('for await (const x of a()) b(x);')).toEqual(['a() await item set<x> b(x) again', 'a() await no-item end', 'a() await ! thrown']);
  });

  it('labels', () => {
    expect(paths('outer: for (const a of as) { for (const b of bs) { if (c) continue outer; if (d) break outer; e(); } f(); } g();')).toEqual([
      'item set<a> item set<b> c:false d:false e() again',
      'item set<a> item set<b> c:false d:true g() end',
      'item set<a> item set<b> c:true again',
      'item set<a> no-item f() again',
      'no-item g() end',
    ]);
    expect(paths('block: { if (a) break block; b(); } c();')).toEqual(['a:false b() c() end', 'a:true c() end']);
    expect(paths('one: two: while (a) { if (b) continue one; break two; }')).toEqual(['a:true b:true again', 'a:true b:false end', 'a:false end']);
  });

  it('reports the target of a syntax error nowhere', () => {
    expect(paths('if (a) { break; } b();')).toEqual(['a:false b() end']);
  });
});

describe('switch', () => {
  it('falls through and breaks', () => {
    expect(paths('switch (s()) { case 1: a(); case 2: b(); break; case 3: c(); } d();')).toEqual([
      's() case<1> a() b() d() end',
      's() case<2> b() d() end',
      's() case<3> c() d() end',
      's() default d() end',
    ]);
  });

  it('enters a default that stands in the middle when nothing else matches', () => {
    expect(paths('switch (s) { case 1: a(); break; default: b(); case 2: c(); }').toSorted()).toEqual(['case<1> a() end', 'case<2> c() end', 'default b() c() end']);
  });

  it('evaluates case expressions in order', () => {
    expect(paths('switch (s) { case 1: a(); break; case f(): b(); break; default: c(); }').toSorted()).toEqual([
      'case<1> a() end',
      'f() case<f()> b() end',
      'f() default c() end',
    ]);
  });

  it('names the switch and the case on its edges', () => {
    const edges = graphOfBody('switch (s) { case 1: a(); }').nodes.flatMap(node => node.edges).filter(edge => edge.kind === 'case');
    expect(edges.map(edge => [edge.switchOn?.getText(), edge.caseOf?.getText()])).toEqual([['s', '1'], ['s', undefined]]);
  });

  it('of true is a ladder of conditions', () => {
    expect(paths('switch (true) { case a && b: c(); break; default: d(); }')).toEqual(['a:true b:true c() end', 'a:true b:false d() end', 'a:false d() end']);
  });

  it('leaves by continue of the loop around it', () => {
    expect(paths('while (x) { switch (s) { case 1: continue; case 2: break; default: return; } a(); }').toSorted()).toEqual([
      'x:false end',
      'x:true case<1> again',
      'x:true case<2> a() again',
      'x:true default return end',
    ]);
  });
});

describe('disposal', () => {
  it('runs on every way out, last declared first', () => {
    const normal = 'a() set<x = a()> b() set<y = b()>';
    expect(paths('{ using x = a(), y = b(); if (z) return; c(); } d();', throwingAt('c()')).filter(path => !/dispose<\w> !/.test(path)).toSorted()).toEqual([
      `${normal} z:false c() ! dispose<y> dispose<x> thrown`,
      `${normal} z:false c() dispose<y> dispose<x> d() end`,
      `${normal} z:true return dispose<y> dispose<x> end`,
    ]);
  });

  it('may throw, and then still disposes of the rest', () => {
    expect(paths('using x = a(); using y = b();')).toContain('a() set<x = a()> b() set<y = b()> dispose<y> ! dispose<x> thrown');
  });

  it('skips what was not acquired', () => {
    expect(paths('using x = a(), y = b();', everything)).toContain('a() set<x = a()> b() ! dispose<x> thrown');
    expect(paths('using x = a();', everything)).toContain('a() ! thrown');
  });

  it('awaits with `await using`, also on an early return', () => {
    const found = paths('await using h = await f(); if (x) return g(); k();');
    expect(found).toContain('f() await set<h = await f()> x:true g() return dispose<h> await end');
    expect(found).toContain('f() await set<h = await f()> x:false k() dispose<h> await end');
    expect(found).toContain('f() await set<h = await f()> x:true g() return dispose<h> await ! thrown');
  });

  it('runs each turn of a loop', () => {
    expect(paths('for (using x of y) { if (a) break; b(); } c();').filter(path => !path.includes('!'))).toEqual([
      'item set<x> a:false b() dispose<x> again',
      'item set<x> a:true dispose<x> c() end',
      'no-item c() end',
    ]);
    expect(paths('for (using x = a(); b; ) c(); d();').filter(path => !path.includes('!'))).toEqual([
      'a() set<x = a()> b:true c() again',
      'a() set<x = a()> b:false dispose<x> d() end',
    ]);
  });
});
