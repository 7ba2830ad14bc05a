import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { FlowBudgetError } from '../../../src/engine/flow/cfg-budget.js';
import { flowGraphToDot } from '../../../src/engine/flow/cfg-dot.js';
import { everything, graphOfBody, paths, throwingAt } from './flow-paths.js';

const onlyA = { ...throwingAt('a()'), exits: true };
const shown = { exits: true };

describe('catch', () => {
  it('takes exceptions of its block', () => {
    expect(paths('try { a(); b(); } catch (e) { c(); } d();', onlyA)).toEqual(['a() b() d() end', 'a() ! catch c() d() end']);
  });

  it('takes throw statements', () => {
    expect(paths('try { throw x; } catch { c(); }')).toEqual(['throw catch c() end']);
  });

  it('does not take its own exceptions', () => {
    expect(paths('try { throw x; } catch { a(); }', onlyA)).toEqual(['throw catch a() end', 'throw catch a() ! thrown']);
    expect(paths('try { try { throw x; } catch { throw y; } } catch { b(); }')).toEqual(['throw catch throw catch b() end']);
  });

  it('is entered from the start of the block when nothing in it is known to throw', () => {
    expect(paths('try { x = y.z; } catch { c(); } d();')).toEqual(['set<x = y.z> d() end', '! catch c() d() end']);
  });

  it('evaluates defaults of its binding', () => {
    expect(paths('try { throw x; } catch ({ m = f() }) {}')).toEqual(['throw catch m = f():not-defined f() end', 'throw catch m = f():defined end']);
  });
});

describe('finally', () => {
  it('runs on the normal way and on an exception', () => {
    expect(paths('try { a(); } finally { b(); } c();', onlyA)).toEqual(['a() finally-on-normal b() c() end', 'a() ! finally-on-throw b() thrown']);
  });

  it('runs on return, after the value', () => {
    expect(paths('try { return a(); } finally { b(); }', onlyA)).toEqual(['a() return finally-on-return b() end', 'a() ! finally-on-throw b() thrown']);
  });

  it('runs on break and continue', () => {
    expect(paths('for (const x of xs) { try { if (p) break; if (q) continue; c(); } finally { d(); } } e();', shown).toSorted()).toEqual([
      'item set<x> p:false q:false c() finally-on-normal d() again',
      'item set<x> p:false q:true finally-on-continue d() again',
      'item set<x> p:true finally-on-break d() e() end',
      'no-item e() end',
    ]);
  });

  it('runs after a throw in the catch clause', () => {
    expect(paths('try { a(); } catch (e) { b(); throw e; } finally { c(); } d();', onlyA)).toEqual([
      'a() ! catch b() throw finally-on-throw c() thrown',
      'a() finally-on-normal c() d() end',
    ]);
  });

  it('runs after a return in the catch clause', () => {
    expect(paths('try { a(); } catch { return b(); } finally { c(); } d();', onlyA)).toContain('a() ! catch b() return finally-on-return c() end');
  });

  it('overrides the way out with its own jump', () => {
    expect(paths('try { return a(); } finally { return b(); }', onlyA)).toEqual(['a() return finally-on-return b() return end', 'a() ! finally-on-throw b() return end']);
    expect(paths('while (x) { try { return; } finally { break; } } c();', shown)).toEqual(['x:true return finally-on-return c() end', 'x:false c() end']);
  });

  it('runs from inside out', () => {
    expect(paths('try { try { return a(); } finally { b(); } } finally { c(); } d();', onlyA)).toEqual([
      'a() return finally-on-return b() finally-on-return c() end',
      'a() ! finally-on-throw b() finally-on-throw c() thrown',
    ]);
  });

  it('may throw into the finally around it, or the catch around that', () => {
    expect(paths('try { try { b(); } finally { a(); } } catch { c(); } finally { d(); }', onlyA)).toEqual([
      'b() finally-on-normal a() ! catch c() finally-on-normal d() end',
      'b() finally-on-normal a() finally-on-normal d() end',
    ]);
  });

  it('runs before the break reaches its label, and only where the try is inside it', () => {
    expect(paths('out: { try { if (x) break out; a(); } finally { b(); } c(); } d();', shown)).toEqual([
      'x:false a() finally-on-normal b() c() d() end',
      'x:true finally-on-break b() d() end',
    ]);
    expect(paths('try { out: { if (x) break out; a(); } c(); } finally { b(); }', shown)).toEqual([
      'x:false a() c() finally-on-normal b() end',
      'x:true c() finally-on-normal b() end',
    ]);
  });

  it('stands once a way out, and all copies are found by their syntax', () => {
    const graph = graphOfBody('try { if (x) return 1; if (y) return 2; a(); } finally { b(); }', everything);
    const call = find(graph.root, node => node.getText() === 'b()' && ts.isCallExpression(node));
    expect(graph.idsOf(call).map(id => graph.nodes[id]?.kind)).toEqual(['call', 'call', 'call']);
    expect(graph.idsOf(graph.root)).toEqual([]);
  });

  it('gives up when nested copies multiply', () => {
    const nested = (depth: number): string => depth === 0 ? 'a();' : `try { ${nested(depth - 1)} if (x) return; } finally { ${nested(depth - 1)} }`;
    expect(() => graphOfBody(nested(9), everything)).toThrow(new FlowBudgetError('nodes'));
  });
});

describe('flowGraphToDot', () => {
  it('draws nodes and edges', () => {
    expect(flowGraphToDot(graphOfBody('if (x === "y") a();', everything))).toMatchInlineSnapshot(`
      "digraph flow {
        node [shape=box];
        n0 [label="0 entry"];
        n0 -> n1 [label=""];
        n1 [label="1 test (truthy) x === \\"y\\""];
        n1 -> n2 [label="true"];
        n1 -> n3 [label="false"];
        n2 [label="2 call a()"];
        n2 -> n3 [label=""];
        n2 -> n4 [label="throw", style=dashed];
        n3 [label="3 exit"];
        n4 [label="4 throw-exit"];
      }
      "
    `);
  });
});

function find(node: ts.Node, matches: (node: ts.Node) => boolean): ts.Node {
  const search = (inner: ts.Node): ts.Node | undefined => matches(inner) ? inner : ts.forEachChild(inner, search);
  const found = search(node);
  if (found === undefined) throw new Error('not in the snippet');
  return found;
}
