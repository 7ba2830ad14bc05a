import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * The first mistake that a schema finds, as a sentence that names its place; and how many more there are.
 * @param from What the value is called in a sentence: `step-lock.config.json`, `settings['step-lock']`.
 */
export function schemaMistake([first, ...more]: readonly Issue[], { value, from, schema }: { readonly value: unknown; readonly from: string; readonly schema: unknown }): string {
  const others = more.length === 0 ? '' : ` There ${more.length === 1 ? 'is one more mistake' : `are ${more.length} more mistakes`} in it.`;
  return `${sentence(first, value, from, schema)}.${others}`;
}

function sentence(issue: Issue | undefined, value: unknown, from: string, schema: unknown): string {
  if (issue === undefined) return `${from} cannot be read`;
  if (issue.code === 'unrecognized_keys') return unknownKey(issue, from, schema);
  const place = issue.path.length === 0 ? from : `\`${pathText(issue.path)}\` in ${from}`;
  return `${place} ${complaint(issue, valueAt(value, issue.path))}`;
}

function complaint(issue: Issue, value: unknown): string {
  const has = value === undefined ? '' : `, not ${shown(value)}`;
  if (issue.code === 'custom' || issue.code === 'invalid_format' || issue.code === 'invalid_union') return isOwnText(issue.message) ? `${issue.message}${issue.code === 'custom' ? '' : has}` : `cannot be ${shown(value)}`;
  if (value === undefined) return `is missing: it must be ${wanted(issue)}`;
  if (issue.code === 'too_small') return isOwnText(issue.message) ? issue.message : `must hold at least ${String(issue.minimum)}${has}`;
  return `must be ${wanted(issue)}${has}`;
}

function wanted(issue: Issue): string {
  if (issue.code === 'invalid_value') return `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((v) => `\`${String(v)}\``).join(', ')}`;
  if (issue.code !== 'invalid_type') return 'something else';
  return KINDS[issue.expected] ?? `of the kind ${issue.expected}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text', boolean: '`true` or `false`', array: 'a list', object: 'an object', record: 'an object', number: 'a number', int: 'a whole number',
};

/** Zod's own words begin with a capital. */
function isOwnText(message: string): boolean {
  return /^[a-z]/.test(message);
}

function unknownKey(issue: Extract<Issue, { code: 'unrecognized_keys' }>, from: string, schema: unknown): string {
  const key = String(issue.keys[0]);
  const known = keysAt(issue.path, schema);
  const place = issue.path.length === 0 ? from : `\`${pathText(issue.path)}\` in ${from}`;
  return `${place} has no key \`${key}\`${known.length === 0 ? '' : `; it knows ${known.map((k) => `\`${k}\``).join(', ')}`}`;
}

/** The keys that the schema knows at a path. */
function keysAt(path: readonly PropertyKey[], whole: unknown): string[] {
  let schema = whole;
  for (const step of path) schema = typeof step === 'number' ? element(schema) : property(unwrapped(schema), 'shape', step);
  const shape = property(unwrapped(schema), 'shape');
  return typeof shape === 'object' && shape !== null ? Object.keys(shape).filter((k) => k !== '$schema') : [];
}

function element(schema: unknown): unknown {
  return property(unwrapped(schema), 'element');
}

function unwrapped(schema: unknown): unknown {
  const inner = property(schema, 'def', 'innerType');
  return inner === undefined ? schema : unwrapped(inner);
}

function property(holder: unknown, ...path: PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined), holder);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return property(value, ...path);
}

/** `locks[0].operations[1].call`. */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`), '');
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : isJson(value) ? JSON.stringify(value) : `a ${typeof value}`;
  return `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``;
}

function isJson(value: unknown): boolean {
  return typeof value === 'object' || typeof value === 'number' || typeof value === 'boolean';
}
