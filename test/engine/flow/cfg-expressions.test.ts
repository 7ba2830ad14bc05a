import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { FlowBudgetError } from '../../../src/engine/flow/cfg-budget.js';
import { buildFlowGraph } from '../../../src/engine/flow/cfg-build.js';
import { everything, graphOf, graphOfBody, paths, pathsOf, throwingAt } from './flow-paths.js';

const { factory } = ts;

describe('order of evaluation', () => {
  it.each([
    ['operands before the call', 'f(a(), b.c(d()));', 'a() d() b.c(d()) f(a(), b.c(d())) end'],
    ['the await after its operand', 'await a(b());', 'b() a(b()) await end'],
    ['the assignment after its right side', 'x = a() + b();', 'a() b() set<x = a() + b()> end'],
    ['the target of an assignment before its right side', 'a().b[c()] = d();', 'a() c() d() set<a().b[c()] = d()> end'],
    ['the right side of a destructuring before its targets', '[a().b] = c();', 'c() a() set<[a().b] = c()> end'],
    ['nested assignments from the right', 'x = y = a();', 'a() set<y = a()> set<x = y = a()> end'],
    ['updates', 'i++; --j; k.l();', 'set<i++> set<--j> k.l() end'],
    ['new', 'new (a())(b());', 'a() b() new (a())(b()) end'],
    ['tagged templates', 'sql`${a()} ${b()}`;', 'a() b() sql`${a()} ${b()}` end'],
    ['templates', '`${a()} ${await b()}`;', 'a() b() await end'],
    ['literals', '[a(), ...b()]; ({ c: c(), [d()]: 1, ...e(), get f() { return g(); }, [h()]() { i(); } });', 'a() b() c() d() e() h() end'],
    ['operators', 'delete a().b; void c(); typeof d(); -e(); !f(); g(), h();', 'a() c() d() e() f() g() h() end'],
    ['dynamic import', 'await import(a());', 'a() import(a()) await end'],
    ['calls on super', 'super.a(b());', 'b() super.a(b()) end'],
    ['yield', 'const x = yield a();', 'a() yield set<x = yield a()> end | a() yield ! thrown'],
    ['JSX', 'return <A b={a()} {...c()}>text {d()} <E f={g()} /></A>;', 'a() c() d() g() return end'],
    ['types', '(a() as B)!; c() satisfies D; e<typeof f>();', 'a() c() e<typeof f>() end'],
    ['nested functions are values', 'run(() => a(), function () { b(); }, async x => { await x; }); class C { m() { c(); } static { d(); } }', undefined],
    ['the class that a class extends', 'class C extends mixin(A) {} run(class extends b() {});', 'mixin(A) b() run(class extends b() {}) end'],
  ])('%s', (_, body, expected) => {
    const found = paths(body).join(' | ');
    if (expected === undefined) expect(found).toMatch(/^run\(.*\) end$/);
    else expect(found).toBe(expected);
  });
});

describe('declarations', () => {
  it('assigns once a declaration with an initialiser', () => {
    expect(paths('const a = b(), c = d(); let e; var { f } = a;')).toEqual(['b() set<a = b()> d() set<c = d()> set<{ f } = a> end']);
  });

  it('evaluates defaults in patterns on a branch', () => {
    expect(paths('const { a: { b = f() } } = g();')).toEqual([
      'g() b = f():not-defined f() set<{ a: { b = f() } } = g()> end',
      'g() b = f():defined set<{ a: { b = f() } } = g()> end',
    ]);
    expect(paths('({ a = f() } = g());')).toEqual([
      'g() a = f():not-defined f() set<{ a = f() } = g()> end',
      'g() a = f():defined set<{ a = f() } = g()> end',
    ]);
    expect(paths('[a = f()] = g();')).toHaveLength(2);
    expect(paths('({ a: b = f(), ...c().d } = g());')[1]).toBe('g() b = f():defined c() set<{ a: b = f(), ...c().d } = g()> end');
  });

  it('evaluates defaults of parameters at entry, on a branch', () => {
    expect(pathsOf(graphOf('function f(a = g(), { b = h() }) { c(); }'))).toEqual([
      'a = g():not-defined g() b = h():not-defined h() c() end',
      'a = g():not-defined g() b = h():defined c() end',
      'a = g():defined b = h():not-defined h() c() end',
      'a = g():defined b = h():defined c() end',
    ]);
  });
});

describe('exceptions', () => {
  it('leave calls and awaits that the caller does not know to be safe', () => {
    expect(paths('await a(b());', everything)).toEqual(['b() a(b()) await end', 'b() a(b()) await ! thrown', 'b() a(b()) ! thrown', 'b() ! thrown']);
    expect(paths('a(); b();', throwingAt('b()'))).toEqual(['a() b() end', 'a() b() ! thrown']);
    expect(paths('x = 1; if (y) z = 2;', everything).join()).not.toContain('thrown');
  });
});

describe('long chains', () => {
  const many = 5_000;

  it.each([
    ['operators', Array.from({ length: many }, (_, index) => `a${index}`).join(' + ')],
    ['calls', `a${'.b()'.repeat(many)}`],
    ['optional calls', `a${'?.b()'.repeat(many)}`],
    ['conditions', Array.from({ length: many }, (_, index) => `a${index}`).join(' && ')],
    ['fallbacks', Array.from({ length: many }, (_, index) => `a${index}`).join(' ?? ')],
    ['commas', Array.from({ length: many }, (_, index) => `a${index}()`).join(', ')],
    ['assertions', `a${'!'.repeat(many)}`],
  ])('of %s do not overflow the stack', (_, expression) => {
    expect(() => graphOfBody(`x = ${expression};`, everything)).not.toThrow();
    expect(() => graphOfBody(`if (${expression}) b();`, everything)).not.toThrow();
  });

  // Made by hand, because the parser's own stack does not always carry a ladder of this length.
  it('of else-ifs do not overflow the stack', () => {
    const ladder = Array.from({ length: many }).reduce<ts.Statement>(
      rest => factory.createIfStatement(factory.createIdentifier('a'), factory.createEmptyStatement(), rest),
      factory.createEmptyStatement(),
    );
    expect(testsOf(ladder)).toBe(many);
  });

  it('of ternaries do not overflow the stack', () => {
    const ladder = Array.from({ length: many }).reduce<ts.Expression>(
      rest => factory.createConditionalExpression(factory.createIdentifier('a'), undefined, factory.createIdentifier('b'), undefined, rest),
      factory.createIdentifier('c'),
    );
    expect(testsOf(factory.createExpressionStatement(ladder))).toBe(many);
  });

  it.each([
    ['statements', `${'{'.repeat(900)}${'}'.repeat(900)}`],
    ['expressions', `${'!'.repeat(900)}a;`],
  ])('of nested %s are refused before the stack ends', (_, body) => {
    expect(() => graphOfBody(body)).toThrow(new FlowBudgetError('nesting'));
  });
});

function testsOf(statement: ts.Statement): number {
  const root = factory.createFunctionExpression(undefined, undefined, undefined, undefined, undefined, undefined, factory.createBlock([statement]));
  return buildFlowGraph(ts, root, { mayThrow: () => true }).nodes.filter(node => node.kind === 'test').length;
}
