import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { awaited, calleeOf, memberOf, typeOf } from '../../../src/engine/syntax/declared-type.js';
import type { TypeShape } from '../../../src/engine/syntax/type-shape.js';
import { createUnits, type Unit } from '../../../src/engine/syntax/unit.js';

/** The unit of a text and the expression of its last statement, which is the one asked for. */
function last(text: string): { unit: Unit; expression: ts.Expression } {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const statement = file.statements.at(-1);
  if (statement === undefined || !ts.isExpressionStatement(statement)) throw new Error('the text has to end with an expression');
  return { unit: createUnits(ts, NO_PROJECT).of(file), expression: statement.expression };
}

function show(type: TypeShape): string {
  switch (type.kind) {
    case 'unknown': return '?';
    case 'primitive': return type.name;
    case 'literal': return JSON.stringify(type.value);
    case 'union': return type.members.map(show).join(' | ');
    case 'array': return `${show(type.item)}[]`;
    case 'tuple': return `[${type.items.map(show).join(', ')}]`;
    case 'function': return `(${type.signature.parameters.map((p) => `${p.name}${p.optional ? '?' : ''}: ${show(p.type)}`).join(', ')}) => ${show(type.signature.result)}`;
    case 'object': return type.name ?? '{}';
    case 'named': return `${type.from === undefined ? '' : `${type.from}:`}${type.name}${type.typeArguments.length > 0 ? `<${type.typeArguments.map(show).join(', ')}>` : ''}`;
  }
}

const shapes: readonly (readonly [string, string, string])[] = [
  ['annotation', 'declare const x: string | null; x', 'string | null'],
  ['type literal member', 'declare const x: { a: { b: number } }; x.a.b', 'number'],
  ['interface with a parent', 'interface A { n: number } interface B extends A { s: string } declare const b: B; b.n', 'number'],
  ['generic interface', 'interface Box<T> { get(): Promise<T> } declare const b: Box<string>; await b.get()', 'string'],
  ['generic alias', 'type Maybe<T> = T | undefined; declare const m: Maybe<boolean>; m', 'boolean | undefined'],
  ['initialiser', 'class Lock { held = true } const l = new Lock(); l', 'Lock'],
  ['class field', 'class Lock { held = true } const l = new Lock(); l.held', 'true'],
  ['inherited method', 'class A { run(): Promise<void> { return go() } } class B extends A {} new B().run()', 'Promise<void>'],
  ['constructor parameter property', 'interface S { n: number } class A { constructor(private readonly s: S) {} m = () => this.s.n } new A({ n: 1 }).m()', 'number'],
  ['object literal', 'const o = { f(a: string): number { return 1 } }; o.f', '(a: string) => number'],
  ['destructuring', 'declare function f(): Promise<{ a: [string, { n: bigint }] }>; const { a: [, { n }] } = await f(); n', 'bigint'],
  ['declared function', 'declare function f(key: string, ttl?: number): Promise<void>; f', '(key: string, ttl?: number) => Promise<void>'],
  ['async arrow without annotation', 'const f = async () => true; f()', 'Promise<true>'],
  ['catch', 'declare function f(): Promise<string>; await f().catch(() => false)', 'string | false'],
  ['package class', "import Redlock from 'redlock'; const r = new Redlock([]); r", 'redlock:default'],
  ['package type', "import type { Redis as R } from 'ioredis'; declare const r: R; r", 'ioredis:Redis'],
  ['package function', "import { createClient } from 'redis'; const c = createClient(); c", 'redis:createClient'],
  ['namespace of a package', "import * as sem from 'redis-semaphore'; new sem.Mutex()", 'redis-semaphore:Mutex'],
  ['for-of item', 'interface J { id: string } declare const js: J[]; const ids = []; for (const j of js) ids.push(j.id); js[0]', 'J'],
  ['assigned later', 'interface H { a: 1 } declare function f(): H; let h; h = f(); h', 'H'],
  ['typeof', 'const config = { ttl: 5 }; declare const c: typeof config; c.ttl', '5'],
  ['indexed access', 'interface A { b: string } declare const x: A["b"]; x', 'string'],
  ['intersection', 'declare const x: { a: string } & { b: number }; x.b', 'number'],
  ['circular alias', 'type A = B; type B = A; declare const x: A; x', '?'],
  ['circular initialiser', 'const a = b.c; const b = a; a', '?'],
];

describe('typeOf', () => {
  it.each(shapes)('%s', (_, text, expected) => {
    const { unit, expression } = last(text);
    expect(show(typeOf(unit, expression))).toBe(expected);
  });

  it('unwraps promises and reads members', () => {
    const { unit, expression } = last('declare const p: Promise<{ ok: boolean }>; p');
    expect(show(memberOf(awaited(typeOf(unit, expression)), 'ok'))).toBe('boolean');
  });
});

describe('calleeOf', () => {
  it('gives owner and signature of an interface method', () => {
    const { unit, expression } = last('interface L { lock(key: string): Promise<void> } declare const l: L; l.lock("a")');
    const callee = ts.isCallExpression(expression) ? calleeOf(unit, expression) : undefined;
    expect(callee?.owner?.name).toBe('L');
    expect(callee?.signature.parameters.map((p) => p.name)).toEqual(['key']);
    expect(callee?.body).toBeUndefined();
  });

  it('gives the body of a function that can be read', () => {
    const { unit, expression } = last('const f = (a: string) => a; f("a")');
    expect((ts.isCallExpression(expression) ? calleeOf(unit, expression) : undefined)?.body?.kind).toBe(ts.SyntaxKind.ArrowFunction);
  });

  it('knows nothing of functions of packages', () => {
    const { unit, expression } = last("import { f } from 'p'; f()");
    expect(ts.isCallExpression(expression) ? calleeOf(unit, expression) : 0).toBeUndefined();
  });

  it('follows imports into files that can be reached', () => {
    const lib = ts.createSourceFile('/lib.ts', 'export interface L { lock(key: string): Promise<boolean> }\nexport { L as Lock }', ts.ScriptTarget.Latest, true);
    const text = "import type { Lock } from './lib'; declare const l: Lock; l.lock('a')";
    const file = ts.createSourceFile('/a.ts', text, ts.ScriptTarget.Latest, true);
    const unit = createUnits(ts, { ...NO_PROJECT, file: (p) => (p === '/lib.ts' ? lib : undefined), resolve: () => '/lib.ts' }).of(file);
    const statement = file.statements.at(-1);
    expect(statement && ts.isExpressionStatement(statement) ? show(typeOf(unit, statement.expression)) : '').toBe('Promise<boolean>');
  });
});
