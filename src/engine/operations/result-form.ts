import { array, constant, NOTHING, object, TRUTHY, UNKNOWN, type Value } from './value.js';

/**
 * How an operation tells that it succeeded (a lock was acquired, a guarded write hit its row) or not. `won` and `lost` list the values the awaited call can have in
 * either case; an empty list says that the call never returns so (it throws, or waits until it wins).
 */
export interface ResultForm {
  /** For people and for facts: `boolean`, `'OK' or null`, `count`. `unknown` where the code does not tell. */
  readonly label: string;
  readonly won: readonly Value[];
  readonly lost: readonly Value[];
  /** Losing can also, or only, be told by an exception. */
  readonly throwsWhenLost: boolean;
  /** The value proves nothing at all: `void` without an exception, an opaque answer. */
  readonly silent?: boolean;
}

export const UNKNOWN_FORM: ResultForm = { label: 'unknown', won: [UNKNOWN], lost: [UNKNOWN], throwsWhenLost: true };

/** `true` or `false`. */
export const BOOLEAN_FORM: ResultForm = { label: 'boolean', won: [constant(true)], lost: [constant(false)], throwsWhenLost: false };

/** `'OK'` or null, as SET NX answers. */
export const OK_OR_NULL_FORM: ResultForm = { label: '\'OK\' or null', won: [constant('OK')], lost: [constant(null)], throwsWhenLost: false };

/** SET NX GET: null when it was free, else the value that stands there. */
export const NULL_WHEN_FREE_FORM: ResultForm = { label: 'null or the holder', won: [constant(null)], lost: [TRUTHY], throwsWhenLost: false };

/** Nothing when won, an exception when lost. */
export const VOID_OR_THROWS_FORM: ResultForm = { label: 'void or throws', won: [NOTHING], lost: [], throwsWhenLost: true };

/** 1 or 0 as the value itself. `many`: the write can hit several rows, so that a hit is any positive count. */
export function countForm(many = false): ResultForm {
  return { label: 'count', won: [many ? { kind: 'positive', big: false } : constant(1)], lost: [constant(0)], throwsWhenLost: false };
}

/** A count in a property of an object: `{ count }`, `.rowCount`, `.affected`, `.modifiedCount`; several names where several carry it. */
export function countPropertyForm(names: readonly string[], options: { readonly many?: boolean; readonly big?: boolean; readonly also?: Readonly<Record<string, Value>> } = {}): ResultForm {
  const { many = false, big = false, also = {} } = options;
  const hit: Value = many ? { kind: 'positive', big } : constant(big ? 1n : 1);
  const miss = constant(big ? 0n : 0);
  const all = (value: Value): Value => object({ ...also, ...Object.fromEntries(names.map((n) => [n, value])) });
  return { label: `object with ${names[0] ?? 'count'}`, won: [all(hit)], lost: [all(miss)], throwsWhenLost: false };
}

/** A handle, row or document, or null or undefined. `nothing`: what stands for a miss. */
export function handleOrNothingForm(nothing: 'null' | 'undefined' | 'either', handle: Value = TRUTHY): ResultForm {
  const lost = nothing === 'null' ? [constant(null)] : nothing === 'undefined' ? [NOTHING] : [constant(null), NOTHING];
  return { label: `handle or ${nothing === 'either' ? 'nothing' : nothing}`, won: [handle], lost, throwsWhenLost: false };
}

/** A handle or row, or an exception. */
export function handleOrThrowsForm(handle: Value = TRUTHY): ResultForm {
  return { label: 'handle or throws', won: [handle], lost: [], throwsWhenLost: true };
}

/** An array of the rows that were hit. */
export function rowsForm(many = false): ResultForm {
  return { label: 'rows', won: [array([object({})], many ? undefined : 1)], lost: [array([], 0)], throwsWhenLost: false };
}

/** A union of objects told apart by one property: `{ outcome: 'success' } | { outcome: 'cas_mismatch' }`. */
export function taggedForm(tag: string, ok: readonly (string | boolean)[], others: readonly (string | boolean)[]): ResultForm {
  const variant = (value: string | boolean): Value => object({ [tag]: constant(value) });
  return { label: `union by ${tag}`, won: ok.map(variant), lost: others.map(variant), throwsWhenLost: false };
}
