/**
 * What is known of a run-time value: enough to decide the tests that code makes on the answer of a lock or a guarded write. `object` and `array` may be
 * known in part: a property that is not listed is unknown, unless the object is `closed`.
 */
export type Value =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'const'; readonly value: string | number | bigint | boolean | null | undefined }
  /** A number or bigint that is at least 1, of which no more is known. */
  | { readonly kind: 'positive'; readonly big: boolean }
  | { readonly kind: 'object'; readonly props: Readonly<Record<string, Value>>; readonly closed: boolean }
  /** `length` undefined: not known. Items beyond the listed ones are unknown. */
  | { readonly kind: 'array'; readonly items: readonly Value[]; readonly length: number | undefined }
  /** Not null, not undefined, truthy; no more is known (a function, a handle of an unknown class, a promise). */
  | { readonly kind: 'truthy' };

export const UNKNOWN: Value = { kind: 'unknown' };
export const TRUTHY: Value = { kind: 'truthy' };
export const NOTHING: Value = { kind: 'const', value: undefined };

export function constant(value: string | number | bigint | boolean | null | undefined): Value {
  return { kind: 'const', value };
}

/** An object of which the given properties are known; others may be there too, unless `closed`. */
export function object(props: Readonly<Record<string, Value>>, closed = false): Value {
  return { kind: 'object', props, closed };
}

export function array(items: readonly Value[], length: number | undefined = items.length): Value {
  return { kind: 'array', items, length };
}

/** True, false, or undefined where it is not known. */
export function truthOf(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'unknown': return undefined;
    case 'const': return Boolean(value.value);
    default: return true;
  }
}

/** Whether the value is neither null nor undefined; undefined where it is not known. */
export function presenceOf(value: Value): boolean | undefined {
  switch (value.kind) {
    case 'unknown': return undefined;
    case 'const': return value.value !== null && value.value !== undefined;
    default: return true;
  }
}

/** A property of a value. Null and undefined have none: the answer is unknown, since reading it throws. */
export function propertyOfValue(value: Value, name: string): Value {
  if (value.kind === 'object') return value.props[name] ?? (value.closed ? NOTHING : UNKNOWN);
  if (value.kind === 'array') {
    if (name === 'length') return value.length === undefined ? UNKNOWN : constant(value.length);
    const index = Number(name);
    if (!Number.isInteger(index) || index < 0) return UNKNOWN;
    return value.items[index] ?? (value.length !== undefined && index >= value.length ? NOTHING : UNKNOWN);
  }
  return UNKNOWN;
}

/** A short text that two values share exactly when the same is known of both. */
export function showValue(value: Value): string {
  switch (value.kind) {
    case 'unknown': return '?';
    case 'truthy': return '!';
    case 'positive': return value.big ? '>0n' : '>0';
    case 'const': return typeof value.value === 'bigint' ? `${String(value.value)}n` : typeof value.value === 'string' ? `'${value.value}'` : String(value.value);
    case 'object': return `{${Object.keys(value.props).sort().map((k) => `${k}:${showValue(value.props[k] ?? UNKNOWN)}`).join()}${value.closed ? '' : '..'}}`;
    case 'array': return `[${value.items.map(showValue).join()}#${String(value.length)}]`;
  }
}
