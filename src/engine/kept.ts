/**
 * What a piece of work looked at beyond its own file, as keys: `/a/b.ts` for a file, `?name` for the set of files that mention a name. Work that is done again over
 * the same files with the same answers gives the same result.
 */
export type Reads = ReadonlySet<string>;

interface Frame {
  /** What is being worked out: an entry of a memory, or nothing for the work as a whole. */
  readonly of: object | undefined;
  readonly key: unknown;
  readonly reads: Set<string>;
}

/** The work under way, outermost first; undefined while nobody asks for reads, which is the rule. */
let frames: Frame[] | undefined;

/** Notes that the work under way looks at something beyond its own file. */
export function noteRead(key: string): void {
  frames?.at(-1)?.reads.add(key);
}

/**
 * Does a piece of work and tells what it looked at, also where an earlier piece had worked out a part of it and kept it.
 * Not to be called within itself.
 */
export function withReads<T>(work: () => T): { readonly result: T; readonly reads: Reads } {
  const own: Frame[] = [{ of: undefined, key: undefined, reads: new Set() }];
  frames = own;
  try {
    const result = work();
    const reads = new Set<string>();
    for (const frame of own) addAll(reads, frame.reads);
    return { result, reads };
  } finally {
    frames = undefined;
  }
}

/**
 * A memory of what was worked out once. Used as `get`, on a miss work it out, then `set`, once; `has` may be asked before. It keeps the reads of an entry beside it,
 * so that whoever finds the entry is known to depend on them.
 */
export class Kept<K extends object, V> extends WeakMap<K, V> {
  private readonly reads = new WeakMap<K, Reads>();

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

  /** An answer for whoever asks while the entry is being worked out: what goes round in circles gets it. Followed by `set`. */
  provisionally(key: K, value: V): void {
    super.set(key, value);
  }
}

/** The same with keys that are no objects, or where entries are looked through. */
export class KeptByName<K, V> extends Map<K, V> {
  private readonly reads = new Map<K, Reads>();

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

  /** Begins the work on an entry once more, since what is kept does not serve. Followed by `set`. */
  again(key: K): void {
    if (frames !== undefined) begin(frames, this, key);
  }
}

function found(open: readonly Frame[], reads: Reads | undefined): void {
  const top = open.at(-1);
  if (top !== undefined && reads !== undefined) addAll(top.reads, reads);
}

function begin(open: Frame[], of: object, key: unknown): void {
  const top = open.at(-1);
  if (top?.of !== of || top.key !== key) open.push({ of, key, reads: new Set() });
}

/** Ends the work on an entry with all that was begun within it and never kept. */
function end(open: Frame[], of: object, key: unknown): Reads {
  const at = open.findLastIndex((frame) => frame.of === of && frame.key === key);
  // Kept without having been asked for, or kept anew after a first, provisional answer: all that the surrounding work read may have gone into it.
  if (at < 1) return new Set(open.at(-1)?.reads);
  const [own, ...within] = open.splice(at);
  const reads = own?.reads ?? new Set<string>();
  for (const frame of within) addAll(reads, frame.reads);
  found(open, reads);
  return reads;
}

function addAll(to: Set<string>, from: Reads): void {
  for (const key of from) to.add(key);
}
