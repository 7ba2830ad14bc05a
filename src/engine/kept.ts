/**
 * What a piece of work looked at beyond its own file, as keys: a part of a file (see `questions.ts`), `?name` for the set of files that mention a name, `%name` for that there are too many, `#target` for a row.
 * Work that is done again over the same files with the same answers gives the same result.
 */
export type Reads = ReadonlySet<string>;

/** Reads of a piece of work, and of the pieces that it found kept: these are many and shared, so that they are pointed at and not copied. */
interface Noted {
  keys?: Set<string>;
  within?: Set<Noted>;
}

interface Frame {
  /** What is being worked out: an entry of a memory, or nothing for the work as a whole. */
  readonly of: object | undefined;
  readonly key: unknown;
  readonly noted: Noted;
}

/** The work under way, outermost first; undefined while nobody asks for reads, which is the rule. */
let frames: Frame[] | undefined;

/** Whether anybody asks what the work under way looks at. */
export function isNoting(): boolean {
  return frames !== undefined;
}

/** Notes that the work under way looks at something beyond its own file. */
export function noteRead(key: string): void {
  if (frames === undefined) return;
  const noted = frames.at(-1)?.noted;
  if (noted !== undefined) (noted.keys ??= new Set()).add(key);
}

/**
 * Does a piece of work and tells what it looked at, also where an earlier piece had worked out a part of it and kept it.
 * Not to be called within itself.
 */
export function withReads<T>(work: () => T): { readonly result: T; readonly reads: Reads } {
  const own: Frame[] = [{ of: undefined, key: undefined, noted: {} }];
  frames = own;
  try {
    const result = work();
    return { result, reads: allOf(own.map(({ noted }) => noted)) };
  } finally {
    frames = undefined;
  }
}

/** Looks at trees and notes nothing: for an index of a file whose readers note which of its entries they take. Nothing may be kept within. */
export function unnoted<T>(work: () => T): T {
  const open = frames;
  frames = undefined;
  try {
    return work();
  } finally {
    frames = open;
  }
}

/** Counts how often all was forgotten. */
let age = 0;

/**
 * Lets go of all that is kept, but for what lasts: trees of which the next piece of work is handed some again, beside others that have changed, must not tell it what held
 * of the others.
 */
export function forgetAll(): void {
  age++;
}

/**
 * A memory of what was worked out once. Used as `get`, on a miss work it out, then `set`, once; `has` may be asked before. It keeps the reads of an entry beside it,
 * so that whoever finds the entry is known to depend on them.
 */
export class Kept<K extends object, V> {
  private held = new WeakMap<K, V>();
  private reads = new WeakMap<K, Noted | undefined>();
  private of = age;

  /** @param lasts What is kept is told by its key alone, and stands when all is forgotten. */
  constructor(private readonly lasts = false) {}

  get(key: K): V | undefined {
    this.heed();
    if (frames !== undefined && this.held.has(key)) found(frames, this.reads.get(key));
    else if (frames !== undefined) begin(frames, this, key);
    return this.held.get(key);
  }

  has(key: K): boolean {
    this.heed();
    const isKnown = this.held.has(key);
    if (frames !== undefined && !isKnown) begin(frames, this, key);
    return isKnown;
  }

  set(key: K, value: V): this {
    this.heed();
    if (frames !== undefined) this.reads.set(key, end(frames, this, key));
    this.held.set(key, value);
    return this;
  }

  /** An answer for whoever asks while the entry is being worked out: what goes round in circles gets it. Followed by `set`. */
  provisionally(key: K, value: V): void {
    this.heed();
    this.held.set(key, value);
  }

  private heed(): void {
    if (this.of === age || this.lasts) return;
    this.of = age;
    this.held = new WeakMap();
    this.reads = new WeakMap();
  }
}

/** The same with keys that are no objects, or where entries are looked through. */
export class KeptByName<K, V> extends Map<K, V> {
  private readonly reads = new Map<K, Noted | undefined>();

  override get(key: K): V | undefined {
    if (frames !== undefined && super.has(key)) found(frames, this.reads.get(key));
    else if (frames !== undefined) begin(frames, this, key);
    return super.get(key);
  }

  override has(key: K): boolean {
    const isKnown = super.has(key);
    if (frames !== undefined && !isKnown) begin(frames, this, key);
    return isKnown;
  }

  override set(key: K, value: V): this {
    if (frames !== undefined) this.reads.set(key, end(frames, this, key));
    return super.set(key, value);
  }

  /** As above. */
  provisionally(key: K, value: V): void {
    super.set(key, value);
  }

  /** Begins the work on an entry once more, since what is kept does not serve. Followed by `set`. */
  again(key: K): void {
    if (frames !== undefined) begin(frames, this, key);
  }
}

function found(open: readonly Frame[], reads: Noted | undefined): void {
  const top = open.at(-1);
  if (reads !== undefined && top !== undefined) (top.noted.within ??= new Set()).add(reads);
}

function begin(open: Frame[], of: object, key: unknown): void {
  const top = open.at(-1);
  if (top?.of !== of || top.key !== key) open.push({ of, key, noted: {} });
}

/** Ends the work on an entry with all that was begun within it and never kept. Undefined: it looked at nothing. */
function end(open: Frame[], of: object, key: unknown): Noted | undefined {
  const at = open.findLastIndex((frame) => frame.of === of && frame.key === key);
  // Kept without having been asked for: all that the surrounding work read may have gone into it.
  if (at < 1) return joined(open.slice(-1));
  const noted = joined(open.splice(at));
  found(open, noted);
  return noted;
}

function joined(work: readonly Frame[]): Noted | undefined {
  const keys = new Set<string>();
  const within = new Set<Noted>();
  for (const { noted } of work) {
    for (const key of noted.keys ?? []) keys.add(key);
    for (const reads of noted.within ?? []) within.add(reads);
  }
  if (keys.size > 0) return { keys, ...(within.size > 0 && { within }) };
  const [only, ...others] = within;
  return others.length === 0 ? only : { within };
}

function allOf(noted: readonly Noted[]): Reads {
  const all = new Set<string>();
  const seen = new Set(noted);
  // It grows while it is gone through.
  for (const { keys, within } of seen) {
    for (const key of keys ?? []) all.add(key);
    for (const reads of within ?? []) seen.add(reads);
  }
  return all;
}
