import type ts from 'typescript';
import { NOTHING, showValue, type Value } from '../operations/value.js';
import type { Binding } from '../syntax/scope.js';

/** What a path can know something of: a name, a call that has run or a condition that was tested, a field (`this.lock`). */
export type EnvKey = Binding | ts.Node | string;

/** What is known at a point of a path. Never changed in place. */
export interface Env {
  get(key: EnvKey): Value | undefined;
  has(key: EnvKey): boolean;
}

/** Values of one entry are told apart by as many numbers at most. */
const RADIX = 65_536;

/**
 * The knowledge of all paths through one function. Thousands of worlds know nearly the same: an entry is a number for its key and its value, and knowledge a sorted list of
 * them, which is quicker to copy and to compare than a map.
 */
export class EnvTable {
  private readonly numbers = new Map<EnvKey, number>();
  readonly keys: EnvKey[] = [];
  // The one that is asked for by itself comes first.
  private readonly shown = new Map([[showValue(NOTHING), 0]]);
  readonly values: Value[] = [NOTHING];
  private readonly ids = new Map<string, number>();

  of(entries: Iterable<readonly [EnvKey, Value]>): PathEnv {
    let env = new PathEnv(this, []);
    for (const [key, value] of entries) env = env.with(key, value);
    return env;
  }

  numberOf(key: EnvKey): number | undefined {
    return this.numbers.get(key);
  }

  entryOf(key: EnvKey, value: Value): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.keys.length;
      this.numbers.set(key, number);
      this.keys.push(key);
    }
    return number * RADIX + this.valueId(value);
  }

  /** The same number for values of which the same is known. */
  valueId(value: Value): number {
    const text = showValue(value);
    let id = this.shown.get(text);
    if (id === undefined) {
      id = this.values.length;
      this.shown.set(text, id);
      this.values.push(value);
    }
    return id;
  }

  /** The same number for the same entries. */
  idOf(entries: readonly number[]): number {
    const text = entries.join();
    const known = this.ids.get(text) ?? this.ids.size;
    this.ids.set(text, known);
    return known;
  }
}

export class PathEnv implements Env {
  private own: number | undefined;
  private highest: number | undefined;

  constructor(private readonly table: EnvTable, private readonly entries: readonly number[]) {}

  get(key: EnvKey): Value | undefined {
    const at = this.indexOf(key);
    const entry = at < 0 ? undefined : this.entries[at];
    return entry === undefined ? undefined : this.table.values[entry % RADIX];
  }

  has(key: EnvKey): boolean {
    return this.indexOf(key) >= 0;
  }

  with(key: EnvKey, value: Value): PathEnv {
    const entry = this.table.entryOf(key, value);
    const number = Math.floor(entry / RADIX);
    const at = this.firstFrom(number);
    const held = this.entries[at];
    if (held === entry) return this;
    const isHeld = held !== undefined && Math.floor(held / RADIX) === number;
    const entries = this.entries.slice();
    entries.splice(at, isHeld ? 1 : 0, entry);
    return new PathEnv(this.table, entries);
  }

  without(key: EnvKey): PathEnv {
    const at = this.indexOf(key);
    if (at < 0) return this;
    const entries = this.entries.slice();
    entries.splice(at, 1);
    return new PathEnv(this.table, entries);
  }

  /** With the entries that pass. */
  filtered(keeps: (key: EnvKey) => boolean): PathEnv {
    const entries = this.entries.filter((entry) => {
      const key = this.table.keys[Math.floor(entry / RADIX)];
      return key !== undefined && keeps(key);
    });
    return entries.length === this.entries.length ? this : new PathEnv(this.table, entries);
  }

  /** The highest of the numbers of its keys; `of`: the same for all of a table. */
  highestOf(of: (key: EnvKey) => number): number {
    if (this.highest !== undefined) return this.highest;
    let highest = -Infinity;
    for (const entry of this.entries) {
      const key = this.table.keys[Math.floor(entry / RADIX)];
      if (key !== undefined) highest = Math.max(highest, of(key));
    }
    this.highest = highest;
    return highest;
  }

  /** The same number for those who know the same. */
  get id(): number {
    return (this.own ??= this.table.idOf(this.entries));
  }

  private indexOf(key: EnvKey): number {
    const number = this.table.numberOf(key);
    if (number === undefined) return -1;
    const at = this.firstFrom(number);
    const held = this.entries[at];
    return held !== undefined && Math.floor(held / RADIX) === number ? at : -1;
  }

  /** Where the entries of a key's number begin, or would. */
  private firstFrom(number: number): number {
    const least = number * RADIX;
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.entries[middle] ?? 0) < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
