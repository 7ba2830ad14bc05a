import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Kept, KeptByName, noteRead, withReads } from '../../src/engine/kept.js';

describe('reads', () => {
  it('of what was kept count for whoever finds it', () => {
    const kept = new Kept<object, string>();
    const node = {};
    const ask = (): string => {
      const known = kept.get(node);
      if (known !== undefined) return known;
      noteRead('/other.ts');
      kept.set(node, 'answer');
      return 'answer';
    };
    expect([...withReads(ask).reads]).toEqual(['/other.ts']);
    expect([...withReads(ask).reads]).toEqual(['/other.ts']);
    expect([...withReads(() => 1).reads]).toEqual([]);
  });

  it('go through what is kept within what is kept', () => {
    const [outer, inner] = [new Kept<object, number>(), new KeptByName<string, number>()];
    const node = {};
    const one = (): number => {
      if (!inner.has('one')) {
        noteRead('?one');
        inner.set('one', 1);
      }
      return inner.get('one') ?? 0;
    };
    const two = (): number => {
      let known = outer.get(node);
      if (known === undefined) outer.set(node, (known = one() + 1));
      return known;
    };
    withReads(one);
    expect([...withReads(two).reads]).toEqual(['?one']);
    expect([...withReads(two).reads]).toEqual(['?one']);
  });

  it('of an answer that was provisional first are not lost', () => {
    const kept = new Kept<object, number>();
    const node = {};
    const ask = (): number => {
      const known = kept.get(node);
      if (known !== undefined) return known;
      kept.set(node, 0);
      noteRead('/late.ts');
      kept.set(node, 1);
      return 1;
    };
    withReads(ask);
    expect([...withReads(ask).reads]).toEqual(['/late.ts']);
  });

  it('of work that was asked for and never kept count for the work around it', () => {
    const [outer, inner] = [new Kept<object, number>(), new Kept<object, number>()];
    const node = {};
    const ask = (): void => {
      if (outer.has(node)) {
        outer.get(node);
        return;
      }
      inner.get(node);
      noteRead('/unkept.ts');
      outer.set(node, 1);
    };
    withReads(ask);
    expect([...withReads(ask).reads]).toEqual(['/unkept.ts']);
  });

  it('are not noted while nobody asks, and not after a failure', () => {
    noteRead('/nobody.ts');
    expect(() => withReads(() => { throw new Error('no'); })).toThrow('no');
    expect([...withReads(() => 1).reads]).toEqual([]);
  });
});

it('all that the engine keeps, it keeps so: a plain WeakMap would hide what its answers depend on', () => {
  const folder = fileURLToPath(new URL('../../src/engine', import.meta.url));
  const plain = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts') && name !== 'kept.ts' && readFileSync(join(folder, name), 'utf8').includes('new WeakMap'));
  expect(plain).toEqual([]);
});
