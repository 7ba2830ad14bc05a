import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnvTable, type PathEnv } from '../../../src/engine/flow/path-env.js';
import { constant, NOTHING, showValue, TRUTHY, type Value } from '../../../src/engine/operations/value.js';

const VALUES: readonly Value[] = [NOTHING, TRUTHY, constant(1), constant(false), constant('a')];
const step = fc.record({ key: fc.constantFrom('this.a', 'this.b', 'this.c', 'this.d'), value: fc.option(fc.nat(VALUES.length - 1), { nil: undefined }) });

/** The steps taken in a table and in a plain map. */
function taken(table: EnvTable, steps: readonly { readonly key: string; readonly value: number | undefined }[]): { readonly env: PathEnv; readonly map: Map<string, Value> } {
  let env = table.of([]);
  const map = new Map<string, Value>();
  for (const { key, value } of steps) {
    const given = value === undefined ? undefined : VALUES[value];
    env = given === undefined ? env.without(key) : env.with(key, given);
    if (given === undefined) map.delete(key);
    else map.set(key, given);
  }
  return { env, map };
}

function shown(map: ReadonlyMap<string, Value>): string {
  return [...map].map(([key, value]) => `${key}=${showValue(value)}`).sort().join();
}

describe('what a path knows', () => {
  it('is what a map would hold', () => {
    fc.assert(fc.property(fc.array(step), (steps) => {
      const { env, map } = taken(new EnvTable(), steps);
      for (const key of ['this.a', 'this.b', 'this.c', 'this.d']) {
        expect(env.has(key)).toBe(map.has(key));
        expect(env.get(key)).toEqual(map.get(key));
      }
    }));
  });

  it('has one number where the same is known, whatever led there', () => {
    fc.assert(fc.property(fc.array(step), fc.array(step), (some, others) => {
      const table = new EnvTable();
      const [a, b] = [taken(table, some), taken(table, others)];
      expect(a.env.id === b.env.id).toBe(shown(a.map) === shown(b.map));
    }));
  });

  it('is not changed by what is learned from it', () => {
    const before = new EnvTable().of([['this.a', TRUTHY]]);
    before.with('this.a', NOTHING).with('this.b', TRUTHY).without('this.a');
    expect(before.get('this.a')).toBe(TRUTHY);
    expect(before.has('this.b')).toBe(false);
  });

  it('keeps what passes', () => {
    const env = new EnvTable().of([['this.a', TRUTHY], ['this.b', NOTHING]]).filtered((key) => key === 'this.b');
    expect([env.has('this.a'), env.get('this.b')]).toEqual([false, NOTHING]);
  });
});
