import { describe, expect, it } from 'vitest';
import { paths } from './flow-paths.js';

describe('conditions are taken apart', () => {
  it.each([
    ['a', ['a:true y()', 'a:false n()']],
    ['!a', ['a:false y()', 'a:true n()']],
    ['!!(a)', ['a:true y()', 'a:false n()']],
    ['(a as B)!', ['a:true y()', 'a:false n()']],
    ['a === b', ['a === b:true y()', 'a === b:false n()']],
    ['a && b', ['a:true b:true y()', 'a:true b:false n()', 'a:false n()']],
    ['a || b', ['a:true y()', 'a:false b:true y()', 'a:false b:false n()']],
    ['!(a && !b)', ['a:true b:true y()', 'a:true b:false n()', 'a:false y()']],
    ['(f(), a)', ['f() a:true y()', 'f() a:false n()']],
    ['a ? b : !c', ['a:true b:true y()', 'a:true b:false n()', 'a:false c:false y()', 'a:false c:true n()']],
    ['a ?? b', ['a:present a:true y()', 'a:present a:false n()', 'a:not-present b:true y()', 'a:not-present b:false n()']],
    ['a?.b', ['a:present a?.b:true y()', 'a:present a?.b:false n()', 'a:not-present n()']],
    ['a?.b === c', ['a:present a?.b === c:true y()', 'a:present a?.b === c:false n()', 'a:not-present a?.b === c:true y()', 'a:not-present a?.b === c:false n()']],
    ['(x = f())', ['f() set<x = f()> (x = f()):true y()', 'f() set<x = f()> (x = f()):false n()']],
    ['await f()', ['f() await await f():true y()', 'f() await await f():false n()']],
    ['true', ['y()']],
    ['!1', ['n()']],
    ['a && false', ['a:true n()', 'a:false n()']],
  ])('if (%s)', (condition, expected) => {
    const withoutParentheses = (path: string): string => path.replace('(x = f()):', 'x = f():');
    expect(paths(`if (${condition}) y(); else n();`).toSorted()).toEqual(expected.map(path => `${withoutParentheses(path)} end`).toSorted());
  });

  it('branches on logical values', () => {
    expect(paths('x = a() || b();')).toEqual(['a() a():false b() set<x = a() || b()> end', 'a() a():true set<x = a() || b()> end']);
    expect(paths('a && b();')).toEqual(['a:true b() end', 'a:false end']);
    expect(paths('x = a ?? b ?? c();')).toEqual([
      'a:not-present b:not-present c() set<x = a ?? b ?? c()> end',
      'a:not-present b:present set<x = a ?? b ?? c()> end',
      'a:present set<x = a ?? b ?? c()> end',
    ]);
    expect(paths('x = a ? b() : c ? d() : e();')).toEqual([
      'a:true b() set<x = a ? b() : c ? d() : e()> end',
      'a:false c:true d() set<x = a ? b() : c ? d() : e()> end',
      'a:false c:false e() set<x = a ? b() : c ? d() : e()> end',
    ]);
  });

  it('branches on logical assignments', () => {
    expect(paths('a ||= f();')).toEqual(['a:false f() set<a ||= f()> end', 'a:true end']);
    expect(paths('a &&= f();')).toEqual(['a:true f() set<a &&= f()> end', 'a:false end']);
    expect(paths('a.b ??= f();')).toEqual(['a.b:not-present f() set<a.b ??= f()> end', 'a.b:present end']);
  });
});

describe('optional chains', () => {
  it('skip the rest of the chain, arguments included', () => {
    expect(paths('a?.b(c()).d(e());')).toEqual(['a:present c() a?.b(c()) e() a?.b(c()).d(e()) end', 'a:not-present end']);
    expect(paths('f()?.();')).toEqual(['f() f():present f()?.() end', 'f() f():not-present end']);
    expect(paths('a?.[f()];')).toEqual(['a:present f() end', 'a:not-present end']);
  });

  it('end at parentheses', () => {
    expect(paths('(a?.b).c(d());')).toEqual(['a:present d() (a?.b).c(d()) end', 'a:not-present d() (a?.b).c(d()) end']);
  });

  it('are awaited when cut short, too', () => {
    expect(paths('await a?.b();')).toEqual(['a:present a?.b() await end', 'a:not-present await end']);
  });

  it('are absent for `??` when cut short', () => {
    expect(paths('x = a?.b() ?? c();')).toEqual([
      'a:present a?.b() a?.b():not-present c() set<x = a?.b() ?? c()> end',
      'a:present a?.b() a?.b():present set<x = a?.b() ?? c()> end',
      'a:not-present c() set<x = a?.b() ?? c()> end',
    ]);
  });
});
